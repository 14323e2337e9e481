/**
 * The prose of the documents: the purpose of the interface, and the signature of a request
 * (docs/reference/authentication.md).
 */
import { SANDBOX } from '../sandbox-address.ts'
import type { JsonSchema } from './json-schema.ts'

export const SERVER_WORDS = 'The node that serves this file. In a checkout: a sandbox on this machine.'

/** The pages generated from the documents, as served by a node (`src/app/node/page/bundle.ts`). */
const SERVED = `${SANDBOX}/docs`

/**
 * A link of a document to more details: `anchor` on a served page, and `page`, a heading of docs/reference.
 */
export function moreAbout(anchor: string, page: string): JsonSchema {
  return {
    externalDocs: { description: 'The same as a page of the node', url: SERVED + anchor },
    'x-reference': `docs/reference/${page}`,
  }
}

const OF_SIGNATURES =
  'X-Signature = HMAC-SHA256(key = secret, message = query string + body), as 64 hexadecimal digits or standard base64. ' +
  'The message is the raw query string without its ?, directly followed by the raw body, byte for byte as they are sent: ' +
  'build the text once, sign it, and send that same text. Quotes, angle brackets, spaces and everything outside ASCII are ' +
  'percent-encoded before signing. The secret is used as text.'

export const WORDS = {
  title: 'Bourse',
  summary: 'The trading interface of a Bourse exchange over HTTP.',
  httpDescription: [
    'Parameters are sent in the query string or, with POST, PUT and DELETE, in a form; decimals are exact texts and nothing is ever rounded silently.',
    'Every answer is JSON. An error has a code, one of three, and a finer reason; both are stable. x-reasons lists the reasons that an endpoint can return.',
    'An x-extensible-enum may get new values, and an object may get new members: clients must accept them.',
    'x-weight is the cost of a request in the weight of its address; x-permissions are the permissions that its key needs.',
    OF_SIGNATURES,
  ].join('\n\n'),
  streamDescription: [
    'The live stream of a Bourse exchange. The document describes the server: it receives what clients send.',
    'Every message is a JSON array whose first element is its name. Over a plain WebSocket it is a text frame; over Socket.IO, on the same port under /socket.io/, the first element is the name of the event and the others are its arguments.',
    'Market data needs no key. Orders and the private channels need a login on the same connection.',
    'An object may get new members: clients must accept them.',
  ].join('\n\n'),
} as const

export const SECURITY_SCHEMES = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-Apikey', description: 'The API key.' },
  Signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description: `${OF_SIGNATURES} A strict signature begins with v2= and is over method, path, query string, X-Timestamp, X-Nonce and body, joined by line feeds.`,
  },
} as const satisfies Readonly<Record<string, JsonSchema>>

export const SIGNING = {
  StrictTimestamp: {
    name: 'X-Timestamp',
    in: 'header',
    required: false,
    description: 'With a strict signature: the parameter timestamp again, digit for digit.',
    schema: { type: 'string', pattern: '^\\d{1,16}$' },
  },
  StrictNonce: {
    name: 'X-Nonce',
    in: 'header',
    required: false,
    description: 'With a strict signature: new for every request.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{16,64}$' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: 'The language of msg and of names of sides: en, the default, or tr.',
    schema: { type: 'string', default: 'en' },
  },
} as const satisfies Readonly<Record<string, JsonSchema>>
