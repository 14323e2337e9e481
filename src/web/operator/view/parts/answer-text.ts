/** Sentences for answers that are not records: done, a count, or nothing to do. */
import type { AdminOperation } from '../../../../contract/admin/admin.ts'
import { say } from '../../texts/texts.ts'

type Told = { readonly said: string; readonly result?: unknown }
type Fields = Readonly<Record<string, unknown>>

const SECRETS = ['key/add', 'key/rotate', 'token/add', 'webhook/add']

/** Undefined if the answer needs no sentence. */
export function answerText(operation: AdminOperation, result: unknown): Told | undefined {
  const fields: Fields = typeof result === 'object' && result !== null ? (result as Fields) : {}
  // A key that uses a key pair has no secret.
  if (SECRETS.includes(operation) && fields.secret !== null)
    return { said: say('Copy the secret now: it is not shown again.'), result }
  const { repeated, pending, canceled, lifted, removed, cleared, warnings } = fields
  if (typeof repeated === 'boolean' && typeof pending === 'boolean')
    return { said: transferText(repeated, pending) }
  if (operation === 'order/cancel-all')
    return { said: say('Orders canceled: {count}.', { count: Number(canceled) }) }
  if (operation === 'ban/lift')
    return { said: lifted === true ? say('The ban is lifted.') : say('There was no ban.') }
  if (typeof removed === 'boolean')
    return { said: removed ? say('Removed.') : say('There was nothing to remove.') }
  if (operation === 'fault/clear') return { said: say('Faults ended: {count}.', { count: Number(cleared) }) }
  if (Array.isArray(warnings) && warnings.length > 0) {
    const { warnings: _, ...others } = fields
    return { said: say('Done, with a warning: {warning}', { warning: warnings.join(' ') }), result: others }
  }
  return undefined
}

function transferText(repeated: boolean, pending: boolean): string {
  if (pending) return say('Nothing has moved yet: another person must approve it first.')
  return repeated
    ? say('Nothing was done: this reference was used for the same transfer before.')
    : say('Done.')
}
