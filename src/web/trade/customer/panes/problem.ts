/** The text of a failure for people. */
import { AccountError } from '../account-api.ts'
import { paneTexts } from './pane-texts.ts'

/** The exchange's own message for a refusal; otherwise a text for the browser's error. */
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
