/** The page for people as files: bundled from src/web, or those that the executable has. */
import { fileURLToPath } from 'node:url'
import { EMBEDDED } from '../embedded.ts'

export type PageFile = {
  /** Path under which it is served: `/`, `/assets/page-1a2b3c.js`. */
  readonly path: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export const ASSETS = '/assets/'

/** The bundle of src/web is not possible: files are missing or do not parse. */
class PageFault extends Error {
  override readonly name = 'PageFault'
}

export async function pageFiles(): Promise<readonly PageFile[]> {
  if (EMBEDDED === undefined) return bundlePage()
  return EMBEDDED.page.map(({ base64, ...file }) => ({ ...file, bytes: Uint8Array.fromBase64(base64) }))
}

/** Takes some milliseconds. */
export async function bundlePage(): Promise<readonly PageFile[]> {
  const built = await Bun.build({
    entrypoints: [fileURLToPath(new URL('../../web/index.html', import.meta.url))],
    target: 'browser',
    minify: true,
    publicPath: ASSETS,
    naming: { entry: '[name].[ext]', chunk: 'page-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    throw: false,
  })
  if (!built.success) {
    throw new PageFault(`the page of src/web cannot be bundled: ${built.logs.map(String).join('; ')}`)
  }
  return Promise.all(
    built.outputs.map(async (output) => {
      const name = output.path.replace(/^\.?\//, '')
      const bytes = new Uint8Array(await output.arrayBuffer())
      return { path: name === 'index.html' ? '/' : ASSETS + name, type: output.type, bytes }
    }),
  )
}
