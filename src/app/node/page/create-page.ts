/**
 * The page for people at `/` and the reference of the interface at `/docs` of the public port, and the
 * operator's page of the admin server: created at the first request for one of them (some milliseconds), then
 * served from memory, compressed for clients that accept it. Names of assets contain a hash of their content,
 * so assets may be cached forever; the document is requested again each time and answered with 304 while it
 * is unchanged.
 */
import type { PageFiles } from '../../../server/admin/page-sessions/operator-page.ts'
import { PAGE_PROTECTION } from '../../../server/listener/page-protection.ts'
import type { Pages } from '../../../server/public/gateway.ts'
import { operatorPageFiles, pageFiles, REFERENCE } from './bundle.ts'
import { EncodedBytes, type Encoding, encodingFor } from './encodings.ts'
import { AddressedDocument, addressAskedAt } from './own-address.ts'
import { ASSETS, type PageFile } from './page-file.ts'

/** A page as served: its bytes do not change while the node runs. */
type Asset = {
  readonly bytes: EncodedBytes
  /** A hash of the content: each encoding has its own. */
  readonly digest: string
  readonly headers: Readonly<Record<string, string>>
  /** For a document that contains the address of the serving node. */
  readonly document: AddressedDocument | undefined
}

/** Features of a node that the page must know before its first request. */
export type Offered = {
  /** Whether people sign up and sign in by themselves (docs/customers.md). */
  readonly hasCustomers: boolean
}

/** Inserted before the body's first attribute, where the page expects it. */
const CUSTOMERS_MARK = 'data-customers=""'

/** Answers GET and HEAD of `/`, `/assets/...`, `/docs` and `/docs/...`; undefined for everything else. */
export function createPage({ hasCustomers }: Offered): Pages {
  const files = async () => {
    const all = await pageFiles()
    return hasCustomers ? all.map((file) => (file.path === '/' ? marked(file) : file)) : all
  }
  return serve(files, (path) => path === '/' || path.startsWith(ASSETS) || isOfReference(path))
}

/** Answers GET and HEAD of `/` and `/assets/...` of the admin server; undefined for everything else. */
export function createOperatorPage(): PageFiles {
  return serve(operatorPageFiles, (path) => path === '/' || path.startsWith(ASSETS))
}

function serve(
  files: () => Promise<readonly PageFile[]>,
  isOwn: (path: string) => boolean,
): (request: Request, path: string) => Promise<Response> | undefined {
  let assets: Promise<ReadonlyMap<string, Asset>> | undefined
  return (request, path) => {
    if (!isOwn(path)) return undefined
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    assets ??= files().then((made) => new Map(made.map((file) => [file.path, makeAsset(file)])))
    return assets.then((assetByPath) => {
      const asset = assetByPath.get(path)
      return asset?.document === undefined
        ? answer(request, asset)
        : answerDocument(request, asset, asset.document)
    })
  }
}

function marked(document: PageFile): PageFile {
  const html = new TextDecoder().decode(document.bytes).replace('<body ', `<body ${CUSTOMERS_MARK} `)
  return { ...document, bytes: new TextEncoder().encode(html) }
}

function isOfReference(path: string): boolean {
  return path === REFERENCE || path.startsWith(`${REFERENCE}/`)
}

async function answer(request: Request, asset: Omit<Asset, 'document'> | undefined): Promise<Response> {
  if (asset === undefined) return new Response('Not found\n', { status: 404, headers: NOT_FOUND_HEADERS })
  const { bytes, digest } = asset
  const encoding = bytes.isWorthIt ? encodingFor(request.headers.get('accept-encoding')) : undefined
  const etag = etagOf(digest, encoding)
  const headers = { ...asset.headers, ETag: etag, ...(encoding && { 'Content-Encoding': encoding }) }
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : await bytes.as(encoding), { headers })
}

/** Answers with the document as it is for the requested address. */
function answerDocument(
  request: Request,
  { headers, digest }: Asset,
  document: AddressedDocument,
): Promise<Response> {
  const address = addressAskedAt(request)
  return answer(request, {
    bytes: document.at(address, performance.now()),
    digest: `${digest}-${Bun.hash(address).toString(36)}`,
    headers: { ...headers, Vary: `${headers['Vary']}, Host, X-Forwarded-Proto` },
  })
}

/** Each encoding has its own (RFC 9110, 8.8.3.3). */
function etagOf(digest: string, encoding: Encoding | undefined): string {
  return encoding === undefined ? `"${digest}"` : `"${digest}-${encoding}"`
}

const NOT_FOUND_HEADERS = {
  ...PAGE_PROTECTION,
  'Cache-Control': 'no-store',
  'Content-Type': 'text/plain; charset=utf-8',
} as const

/** Whether the client has exactly this version (RFC 9110, 13.1.2: weak comparison). */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

function makeAsset({ path, type, bytes }: PageFile): Asset {
  const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)
  const headers = {
    ...PAGE_PROTECTION,
    'Cache-Control': path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Type': type.replace(/;\s*charset=/, '; charset='),
    Vary: 'Accept-Encoding',
  }
  const isDocument = isOfReference(path) && type === 'application/json'
  const document = isDocument ? new AddressedDocument(new TextDecoder().decode(bytes)) : undefined
  return { bytes: new EncodedBytes(bytes), digest, headers, document }
}
