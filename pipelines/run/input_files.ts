import type { RunConfig } from "../../stages/config/run_config.ts";

/** A file that a run reads rows from: its key and where it is. */
export type InputFile = readonly [key: string, path: string];

/** The files of section `data`, those of a release of ALFWorld's and of ScienceWorld's games apart. */
export function dataFiles({ data: { train, valid, test, shop } }: RunConfig): readonly InputFile[] {
  const { products, attributes, instructions, nouns } = shop;
  const ofShop = {
    "shop.products": products,
    "shop.attributes": attributes,
    "shop.instructions": instructions,
    "shop.nouns": nouns,
  };
  return Object.entries({ train, valid, test, ...ofShop })
    .flatMap(([key, file]) => file === null ? [] : [[`data.${key}`, file]]);
}

/** All files whose rows training reads. */
export function inputFiles(config: RunConfig): readonly InputFile[] {
  const { offline, reflective } = config.algorithm;
  const own = { "algorithm.offline": offline, "algorithm.reflective.file": reflective.file };
  return [
    ...dataFiles(config),
    ...Object.entries(own).flatMap(([key, file]): readonly InputFile[] => file === null ? [] : [[key, file]]),
  ];
}
