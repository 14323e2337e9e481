/**
 * ccxt's error for each reason, in the exchange's class for ccxt: written from the catalogue of reasons by
 * `npm run schemas`.
 */
import path from 'node:path'
import { REASON_NAMES, REASONS } from '../../src/contract/reasons/catalogue.ts'

export const CCXT_ERRORS = path.join(
  import.meta.dir,
  ...['..', '..', 'clients', 'ccxt', 'src', 'error-by-reason.js'],
)

export function ccxtErrors(): string {
  const lines = REASON_NAMES.map((reason) => `  ${reason}: '${REASONS[reason].ccxt}',`)
  return `/** The name of ccxt's error class by reason. Written by \`npm run schemas\` from the catalogue of reasons. */
export const ERROR_BY_REASON = {
${lines.join('\n')}
}
`
}
