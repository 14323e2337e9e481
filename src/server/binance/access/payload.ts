/**
 * The text that a request of this wire signs: its query string followed by its body, without the parameter
 * `signature`, at any position. The parameters are read from the signed text and from nothing else.
 *
 * There is no separator between query and body, as with Binance. A cut at another position does not change
 * the meaning: it would leave a name that no endpoint accepts or a value that is empty, and both are refused.
 */
import { Parameters } from '../../common/parameters.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import { addForm } from '../../http/form.ts'

const SIGNATURE = 'signature='

export type Payload = {
  /** The text that was signed. */
  readonly text: string
  /** Undefined if there is none. */
  readonly signature: string | undefined
  /** The parameters of the signed text. */
  readonly parameters: Parameters
}

/** `body`: the unchanged body, already checked to be form text. */
export function payloadOf(query: string, body: string): Payload | Refusal {
  const inQuery = without(query)
  const inBody = without(body)
  const signatures = [...inQuery.signatures, ...inBody.signatures]
  if (signatures.length > 1) return refuse('DUPLICATE_PARAMETER', { name: 'signature' })
  const parameters = new Parameters()
  for (const text of [inQuery.text, inBody.text]) {
    const fault = addForm(parameters, text)
    if (fault !== undefined) return refuse('UNREADABLE_QUERY', {})
  }
  const [signature] = signatures
  return { text: inQuery.text + inBody.text, signature: decoded(signature), parameters }
}

function without(text: string): { readonly text: string; readonly signatures: readonly string[] } {
  if (!text.includes(SIGNATURE)) return { text, signatures: [] }
  const signatures: string[] = []
  const kept = text.split('&').filter((pair) => {
    if (!pair.startsWith(SIGNATURE)) return true
    signatures.push(pair.slice(SIGNATURE.length))
    return false
  })
  return { text: kept.join('&'), signatures }
}

/** The decoded signature: base64 has characters that a form must encode. */
function decoded(signature: string | undefined): string | undefined {
  if (signature === undefined || !signature.includes('%')) return signature
  try {
    return decodeURIComponent(signature)
  } catch {
    return ''
  }
}
