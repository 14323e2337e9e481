/** The types of the client by the names of their files in `src/client/interface`, formatted. Runs on Bun. */
export function clientTypeFiles(): ReadonlyMap<string, string>
