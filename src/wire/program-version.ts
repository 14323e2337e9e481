/** Which build of the program this is, so that two of the same version can be told apart. The public server shows the number alone. */
export type ProgramVersion = {
  /** As its package says: `1.0.0`. */
  readonly number: string
  /** The commit that it was built of, 12 hexadecimal digits, with `+dirty` where files were changed; `unknown`: no repository was there. */
  readonly commit: string
  /** When that commit was made, ISO 8601; `unknown`, with the commit. */
  readonly commitDate: string
}

export const UNKNOWN_COMMIT = { commit: 'unknown', commitDate: 'unknown' } as const

/** One line of it, for people. */
export function versionText({ number, commit, commitDate }: ProgramVersion): string {
  return commit === 'unknown' ? `${number} (commit unknown)` : `${number} (commit ${commit} of ${commitDate})`
}
