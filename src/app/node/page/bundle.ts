/**
 * The page for people, the operator's page and the reference as files: bundled from src/web/market, read from
 * docs/api, or taken from the executable.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { EMBEDDED, type Embedded } from '../../embedded.ts'
import { installedPage } from './installed-page.ts'
import { ASSETS, type PageFile } from './page-file.ts'

/** The reference of the interface, as pages and as files. */
export const REFERENCE = '/docs'

/** The bundle of src/web/market cannot be built: files are missing or do not parse. */
class PageFault extends Error {
  override readonly name = 'PageFault'
}

export async function pageFiles(): Promise<readonly PageFile[]> {
  if (EMBEDDED === undefined) return [...(await bundlePage()), ...(await readReference())]
  return embedded(EMBEDDED.page)
}

export async function operatorPageFiles(): Promise<readonly PageFile[]> {
  return EMBEDDED === undefined ? bundleOperatorPage() : embedded(EMBEDDED.operatorPage)
}

function embedded(files: Embedded['page']): readonly PageFile[] {
  return files.map(({ base64, ...file }) => ({ ...file, bytes: Uint8Array.fromBase64(base64) }))
}

/** Takes some milliseconds. */
export async function bundlePage(): Promise<readonly PageFile[]> {
  const [bundled, [theme], [manifest, ...icons]] = await Promise.all([
    bundle('../../../web/market/index.html'),
    bundle('../../../web/market/theme.ts', 'iife'),
    installedPage(),
  ])
  // The document runs the script before it paints: it waits neither for the style sheet nor for a module's
  // dependencies.
  const script = theme === undefined ? '' : `<script src="${theme.path}"></script>`
  const head = `<link rel="manifest" href="${manifest.path}">${script}`
  const files = bundled.map((file) => (file.path === '/' ? withHead(file, head) : file))
  return [...files, ...(theme === undefined ? [] : [theme]), manifest, ...icons]
}

/** Takes some milliseconds. */
export function bundleOperatorPage(): Promise<readonly PageFile[]> {
  return bundle('../../../web/operator/index.html')
}

/** `iife`: a self-contained script that is not a module. */
async function bundle(entry: string, format: 'esm' | 'iife' = 'esm'): Promise<readonly PageFile[]> {
  const built = await Bun.build({
    entrypoints: [fileURLToPath(new URL(entry, import.meta.url))],
    target: 'browser',
    minify: true,
    format,
    // Modules imported on demand are files of their own.
    splitting: format === 'esm',
    // For packages that have two builds, the production build.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    conditions: ['production'],
    publicPath: ASSETS,
    naming: {
      entry: format === 'esm' ? '[name].[ext]' : '[name]-[hash].[ext]',
      chunk: 'page-[hash].[ext]',
      asset: '[name]-[hash].[ext]',
    },
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
    throw: false,
  })
  if (!built.success) {
    throw new PageFault(`${entry} cannot be bundled: ${built.logs.map(String).join('; ')}`)
  }
  const files = await Promise.all(
    built.outputs.map(async (output) => {
      const name = output.path.replace(/^\.?\//, '')
      const bytes = new Uint8Array(await output.arrayBuffer())
      return { path: name === 'index.html' ? '/' : ASSETS + name, type: output.type, bytes }
    }),
  )
  return files.map((file) => (file.path === '/' ? withPreloads(compact(file), files) : file))
}

/**
 * Removes comments and indentation, which the bundler leaves in the document. No element preserves white
 * space.
 */
function compact(document: PageFile): PageFile {
  const html = textOf(document)
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/\n\s+/g, '\n')
  return { ...document, bytes: new TextEncoder().encode(html) }
}

const STYLE_SHEET = '<link rel="stylesheet"'

/** `tags`: the tags that precede the style sheet in the document. */
function withHead(document: PageFile, tags: string): PageFile {
  const html = textOf(document).replace(STYLE_SHEET, tags + STYLE_SHEET)
  return { ...document, bytes: new TextEncoder().encode(html) }
}

const SCRIPT = /<script[^>]* src="([^"]+)"/
/** As the bundler writes an import that is not lazy: `import{a as b}from"/assets/page-1a2b3c.js"`. */
const IMPORTED = /\b(?:from|import)"(\/assets\/[^"]+)"/g

/**
 * Modules shared by the page's script and later imports are files of their own: the browser fetches them
 * together with the script, not only after it has read it.
 */
function withPreloads(document: PageFile, files: readonly PageFile[]): PageFile {
  const html = textOf(document)
  const [tag = '', script = ''] = SCRIPT.exec(html) ?? []
  const needed = new Set([script])
  for (const path of needed) {
    const text = textOf(files.find((file) => file.path === path))
    for (const [, imported = ''] of text.matchAll(IMPORTED)) needed.add(imported)
  }
  needed.delete(script)
  const links = [...needed].map((path) => `<link rel="modulepreload" crossorigin href="${path}">`)
  return { ...document, bytes: new TextEncoder().encode(html.replace(tag, links.join('') + tag)) }
}

function textOf(file: PageFile | undefined): string {
  return new TextDecoder().decode(file?.bytes)
}

/** By the path under which they are served. */
const REFERENCE_FILES: readonly (readonly [path: string, name: string, type: string])[] = [
  [REFERENCE, 'docs/api/index.html', 'text/html; charset=utf-8'],
  [`${REFERENCE}/stream`, 'docs/api/stream.html', 'text/html; charset=utf-8'],
  [`${REFERENCE}/account`, 'docs/api/account.html', 'text/html; charset=utf-8'],
  [`${REFERENCE}/account.json`, 'docs/api/account.json', 'application/json'],
  [`${REFERENCE}/openapi.json`, 'docs/api/openapi.json', 'application/json'],
  [`${REFERENCE}/asyncapi.json`, 'docs/api/asyncapi.json', 'application/json'],
  [`${REFERENCE}/postman.json`, 'docs/api/postman.json', 'application/json'],
  [`${REFERENCE}/icon.svg`, 'src/web/market/icon.svg', 'image/svg+xml'],
]

/** The reference of the interface, as `npm run schemas` has written it. */
export async function readReference(): Promise<readonly PageFile[]> {
  const fromHere = (name: string) => readFile(fileURLToPath(new URL(`../../../../${name}`, import.meta.url)))
  const files = REFERENCE_FILES.map(async ([path, name, type]): Promise<PageFile> => {
    return { path, type, bytes: new Uint8Array(await fromHere(name)) }
  })
  const styles = await Promise.all(
    ['theme.css', 'reference.css'].map((name) => fromHere(`src/web/market/style/${name}`)),
  )
  const style = { path: `${REFERENCE}/reference.css`, type: 'text/css; charset=utf-8' }
  const scripts = await bundle('../../../web/market/reference-page.ts', 'iife')
  return [
    ...(await Promise.all(files)),
    { ...style, bytes: new Uint8Array(Buffer.concat(styles)) },
    ...scripts.map((script) => ({ ...script, path: `${REFERENCE}/reference.js` })),
  ]
}
