/** A failure in words for people. */
import { AccountError } from '../account-api.ts'
import { paneTexts } from './pane-texts.ts'

/** The exchange's own words where it has refused; else those for what the browser has said. */
export function problemOf(error: unknown): string {
  if (error instanceof AccountError && error.message !== '') return error.message
  const { entry, passkeyProblems, noAnswer } = paneTexts()
  switch (error instanceof Error ? error.name : '') {
    case 'NotSupportedError':
      return entry.noPairs
    case 'NotAllowedError':
    case 'AbortError':
      return entry.notDone
    case 'InvalidStateError':
      return passkeyProblems.isThere
    case 'SecurityError':
      return passkeyProblems.elsewhere
    default:
      return noAnswer
  }
}
