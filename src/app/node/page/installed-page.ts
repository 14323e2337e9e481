/**
 * Files with which a browser can install the trading page: a manifest (W3C, Web Application Manifest) and its
 * icons. There is no service worker: an installed page is the page of the node in its own window, and shows
 * nothing without the node.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ASSETS, type PageFile } from './page-file.ts'

/** The dark theme's background color, as in the icon. */
const GROUND = '#141a23'

/**
 * Created from src/web/market/icon.svg by `npm run screenshots -- --icons`; browsers request these two sizes.
 * `maskable`: its corners may be cut off.
 */
const ICONS = [
  { name: 'icon-192', sizes: '192x192', purpose: 'any' },
  { name: 'icon-512', sizes: '512x512', purpose: 'any' },
  { name: 'icon-maskable', sizes: '512x512', purpose: 'maskable' },
] as const

/** The manifest, then its icons. */
export async function installedPage(): Promise<readonly [PageFile, ...PageFile[]]> {
  const icons = await Promise.all(
    ICONS.map(async ({ name, ...icon }) => {
      const bytes = new Uint8Array(
        await readFile(fileURLToPath(new URL(`${SOURCE}${name}.png`, import.meta.url))),
      )
      return { ...icon, file: hashed(name, 'png', 'image/png', bytes) }
    }),
  )
  const manifest = {
    id: '/',
    name: 'Bourse',
    short_name: 'Bourse',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: GROUND,
    theme_color: GROUND,
    icons: icons.map(({ file, ...icon }) => ({ src: file.path, type: file.type, ...icon })),
  }
  const bytes = new TextEncoder().encode(JSON.stringify(manifest))
  return [
    hashed('manifest', 'webmanifest', 'application/manifest+json', bytes),
    ...icons.map(({ file }) => file),
  ]
}

const SOURCE = '../../../web/market/'

function hashed(name: string, ending: string, type: string, bytes: Uint8Array<ArrayBuffer>): PageFile {
  const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 8)
  return { path: `${ASSETS}${name}-${digest}.${ending}`, type, bytes }
}
