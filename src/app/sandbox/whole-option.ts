/** Whole numbers on the sandbox's command lines. */
import { UsageError } from '../../cli/arguments.ts'

/** The value of the option `name`. Throws `UsageError`, also if `text` is missing. */
export function wholeOption(
  name: string,
  text: string | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const value = Number(text)
  if (text !== undefined && /^\d{1,16}$/.test(text) && value >= least && value <= most) return value
  throw new UsageError(`${name} needs a whole number from ${least} to ${most}, found ${text ?? 'nothing'}`)
}
