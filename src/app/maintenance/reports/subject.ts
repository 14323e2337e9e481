/** Commands whose first word selects the subject: `bourse report statements`. */
import { type Arguments, UsageError } from '../../../cli/arguments.ts'
import { meant } from '../../../units/nearest.ts'
import type { AuditCommand } from '../verification/host.ts'

/** The first word, which must be one of the command's, and the rest. Throws `UsageError`. */
export function subjectOf(
  { words, options }: Arguments,
  { name, subjects = [] }: AuditCommand,
): { readonly subject: string; readonly rest: Arguments } {
  const [subject, ...others] = words
  if (subject === undefined) throw new UsageError(`${name} needs one of ${subjects.join(', ')}`)
  if (!subjects.includes(subject)) {
    throw new UsageError(
      `there is no ${name} ${subject}${meant(subject, subjects)}; expected one of ${subjects.join(', ')}`,
    )
  }
  return { subject, rest: { words: others, options } }
}
