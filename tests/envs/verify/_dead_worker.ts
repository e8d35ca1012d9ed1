/** A worker that cannot start. */
throw new Error("not today");
