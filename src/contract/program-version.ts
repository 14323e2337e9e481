/**
 * The build of the program, which distinguishes two builds of the same version. The public server shows only
 * the number.
 */
export type ProgramVersion = {
  /** The version in its package: `1.0.0`. */
  readonly number: string
  /**
   * The commit from which it was built, 12 hexadecimal digits, with `+dirty` if files were changed; `unknown`
   * if it was built without a repository.
   */
  readonly commit: string
  /** The time of that commit, ISO 8601; `unknown` together with the commit. */
  readonly commitDate: string
}

export const UNKNOWN_COMMIT = { commit: 'unknown', commitDate: 'unknown' } as const

/** The version in one line, for people. */
export function versionText({ number, commit, commitDate }: ProgramVersion): string {
  return commit === 'unknown' ? `${number} (commit unknown)` : `${number} (commit ${commit} of ${commitDate})`
}
