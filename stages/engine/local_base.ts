import { FileError } from "../errors.ts";
import { type LocalModel, localModel } from "./local_model.ts";

/**
 * The model that the adapters in `folder` belong to, as their adapter_config.json names it.
 *
 * @throws {FileError} that names that file and the field, as {@link localModel} does.
 */
export function localBase(folder: string, base: string): LocalModel {
  try {
    return localModel(base);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const reason = `base_model_name_or_path is ${JSON.stringify(base)}, which ${error.reason}`;
    throw new FileError({ path: `${folder}/adapter_config.json`, reason });
  }
}
