import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { SANDBOX } from '../../../contract/sandbox-address.ts'
import { pageFiles, REFERENCE } from './bundle.ts'
import { createOperatorPage, createPage } from './create-page.ts'

const page = createPage({ hasCustomers: false })

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await page(new Request(`http://127.0.0.1${path}`, init), path)
  if (answer === undefined) throw new Error(`nothing is served at ${path}`)
  return answer
}

/**
 * Addresses in a document: those that the browser fetches for it and, with `isFollowed`, those that a person
 * can follow.
 */
function assetPaths(html: string, isFollowed = false): string[] {
  const links = isFollowed ? html : html.replaceAll(/<a [^>]*>/g, '')
  return [...links.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1] ?? '')
}

const TAKES_GZIP = { headers: { 'accept-encoding': 'gzip' } }

const DOCUMENTS = (await pageFiles()).flatMap(({ path, type }) =>
  path.startsWith(`${REFERENCE}/`) && type === 'application/json' ? [path] : [],
)

async function textAt(path: string): Promise<string> {
  return (await ask(path)).text()
}

/** Modules that a script needs before it runs, and those that it fetches on demand. */
function staticImports(script: string): string[] {
  return [...script.matchAll(/\b(?:from|import) ?"(\/[^"]+)"/g)].map(([, path = '']) => path)
}

function lazyImports(script: string): string[] {
  return [...script.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, path = '']) => path)
}

/**
 * The paths of all files that are fetched before the page is shown: the document, the files that it names,
 * and their dependencies.
 */
async function firstView(): Promise<ReadonlySet<string>> {
  const found = new Set(['/', ...assetPaths(await textAt('/'))])
  for (const path of found) {
    if (path.endsWith('.js')) for (const needed of staticImports(await textAt(path))) found.add(needed)
  }
  return found
}

/** A script and the dependencies that it needs before it runs, except those already loaded. */
async function withImports(path: string, before: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const found = new Set([path])
  for (const one of found)
    for (const needed of staticImports(await textAt(one))) if (!before.has(needed)) found.add(needed)
  return found
}

describe('page for people', () => {
  test('the document and everything that it refers to are served from this node alone', async () => {
    const document = await ask('/')
    expect(document.status).toBe(200)
    expect(document.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const paths = assetPaths(await document.text())
    expect([...new Set(paths.map((path) => path.replace(/-[^.]+/, '')))].sort()).toEqual([
      '/assets/icon.svg',
      '/assets/manifest.webmanifest',
      '/assets/page.css',
      '/assets/page.js',
      '/assets/theme.js',
    ])
    for (const path of paths) {
      const asset = await ask(path)
      expect(asset.status).toBe(200)
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect((await asset.text()).length).toBeGreaterThan(100)
    }
  })

  test('says in the document whether customers can sign up, and loads the same files either way', async () => {
    const withCustomers = await createPage({ hasCustomers: true })(new Request('http://127.0.0.1/'), '/')
    const html = (await withCustomers?.text()) ?? ''
    expect(html).toContain('<body data-customers="" data-connection')
    expect(html.replace(' data-customers=""', '')).toBe(await textAt('/'))
  })

  test('runs one script of its own, which is not a module and comes before the style sheet, so that the chosen theme is in place at the first paint', async () => {
    const html = await textAt('/')
    const head = html.slice(0, html.indexOf('<link rel="stylesheet"'))
    const [, path = ''] = /<script src="([^"]+)"><\/script>$/.exec(head) ?? []
    const script = await textAt(path)
    expect(script).toContain('bourse-theme')
    expect(script.length).toBeLessThan(1_500)
    expect(script).not.toMatch(/\b(?:import|export)\b/)
  })

  test('is less than 100 KB over the network when it is opened; the larger chart is fetched when it comes into view', async () => {
    const first = await firstView()
    const scripts = [...first].filter((path) => path.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(0)
    // Named by the document, so that the browser fetches them at once and not one after another.
    const named = assetPaths(await textAt('/'))
    expect(scripts.filter((path) => !named.includes(path))).toEqual([])
    const sent = await Promise.all([...first].map((path) => ask(path, TAKES_GZIP)))
    const sizes = await Promise.all(sent.map(async (answer) => (await answer.bytes()).length))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000)
    const later = new Set<string>()
    for (const script of scripts) for (const path of lazyImports(await textAt(script))) later.add(path)
    expect([...later].filter((path) => first.has(path))).toEqual([])
  })

  test('has a chart of at most 120 KB beside the first view, and loads indicators and drawings only when they are used', async () => {
    const first = await firstView()
    const lazy = async (paths: Iterable<string>) =>
      (await Promise.all([...paths].map(async (path) => lazyImports(await textAt(path))))).flat()
    const sizeOf = async (paths: Iterable<string>) => {
      const sizes = [...paths].map(async (path) => (await ask(path, TAKES_GZIP)).bytes())
      return (await Promise.all(sizes)).reduce((sum, { length }) => sum + length, 0)
    }
    const scripts = [...first].filter((path) => path.endsWith('.js'))
    const parts = await Promise.all(
      (await lazy(scripts)).map(async (path) => ({ path, files: await withImports(path, first) })),
    )
    const sizes = await Promise.all(parts.map(async ({ files }) => sizeOf(files)))
    const chart = parts[sizes.indexOf(Math.max(...sizes))]?.files ?? new Set()
    expect(await sizeOf(chart)).toBeGreaterThan(40_000)
    expect(await sizeOf(chart)).toBeLessThan(85_000)
    const tools = await lazy(chart)
    expect(tools.length).toBeGreaterThan(0)
    expect(tools.filter((path) => chart.has(path))).toEqual([])
    const all = new Set(chart)
    for (const path of tools) for (const file of await withImports(path, first)) all.add(file)
    expect(await sizeOf(all)).toBeLessThan(120_000)
  })

  test('has no style that selects an element by its content (`:has()`): the browser would search for it again with each row that comes or goes', async () => {
    const sheets = [...(await firstView())].filter((path) => path.endsWith('.css'))
    expect(sheets).toHaveLength(1)
    for (const sheet of sheets) expect(await textAt(sheet)).not.toContain(':has(')
  })

  test('has no `:is()` of elements in its styles: the bundler writes `:-webkit-any()` beside it, which weighs more', async () => {
    const [sheet = ''] = [...(await firstView())].filter((path) => path.endsWith('.css'))
    const chosen = [...(await textAt(sheet)).matchAll(/:-webkit-any\(([^()]*)\)/g)].map(
      ([, list = '']) => list,
    )
    expect(chosen.length).toBeGreaterThan(0)
    expect(chosen.filter((list) => list.split(',').some((one) => /^[a-z]/.test(one.trim())))).toEqual([])
  })

  test('is sent compressed in an encoding that the browser accepts, and uncompressed to a client that accepts none', async () => {
    const [script = ''] = [...(await firstView())].filter((path) => /page-[^/]+\.js$/.test(path))
    const plain = await ask(script)
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      null,
      'Accept-Encoding',
    ])
    const text = await plain.text()
    const etags = new Set([plain.headers.get('etag')])
    for (const [taken, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const answer = await ask(script, { headers: { 'accept-encoding': taken } })
      expect([taken, answer.headers.get('content-encoding')]).toEqual([taken, encoding])
      expect(answer.headers.get('vary')).toBe('Accept-Encoding')
      const etag = answer.headers.get('etag') ?? ''
      etags.add(etag)
      const bytes = await answer.bytes()
      expect(bytes.length).toBeLessThan(text.length / 2)
      expect(new TextDecoder().decode(decode(bytes))).toBe(text)
      const known = { headers: { 'accept-encoding': taken, 'if-none-match': etag } }
      expect((await ask(script, known)).status).toBe(304)
    }
    expect(etags.size).toBe(3)
    for (const taken of ['', 'identity', 'deflate', '*', 'br;q=0, gzip;q=0.000']) {
      const answer = await ask(script, { headers: { 'accept-encoding': taken } })
      expect([taken, answer.headers.get('content-encoding')]).toEqual([taken, null])
    }
  })

  test('serves the reference of the interface under /docs, which refers to nothing that does not exist', async () => {
    for (const path of ['/docs', '/docs/stream', '/docs/account']) {
      const document = await ask(path)
      expect([document.status, document.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ])
      expect(document.headers.get('cache-control')).toBe('no-cache')
      const text = await document.text()
      expect(text).not.toMatch(/<script(?! src="\/docs\/)|<style| style=| on[a-z]+=/)
      expect(text.replaceAll(SANDBOX, '')).not.toMatch(/https?:\/\//)
      for (const named of new Set(assetPaths(text, true)))
        expect([named, (await ask(named)).status]).toEqual([named, 200])
      const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
      const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
      expect(links.filter((id) => !anchors.has(id))).toEqual([])
    }
    expect((await ask('/docs/nothing')).status).toBe(404)
  })

  test('documents for programs are compressed too, with the address under which they were requested, and each encoding has its own tag', async () => {
    for (const path of DOCUMENTS) {
      const tags = new Set<string | null>()
      for (const address of ['http://one.example', 'http://two.example:8080']) {
        const askAt = async (headers: Record<string, string>): Promise<Response> =>
          (await page(new Request(`${address}${path}`, { headers }), path)) as Response
        const plain = await askAt({})
        const text = await plain.text()
        expect([plain.headers.get('content-encoding'), text.includes(SANDBOX)]).toEqual([null, false])
        tags.add(plain.headers.get('etag'))
        for (const [encoding, decode] of [
          ['br', brotliDecompressSync],
          ['gzip', gunzipSync],
        ] as const) {
          const answer = await askAt({ 'accept-encoding': encoding })
          const tag = answer.headers.get('etag') ?? ''
          tags.add(tag)
          expect(answer.headers.get('vary')).toBe('Accept-Encoding, Host, X-Forwarded-Proto')
          expect(answer.headers.get('content-encoding')).toBe(encoding)
          const bytes = await answer.bytes()
          expect([bytes.length < text.length / 5, new TextDecoder().decode(decode(bytes))]).toEqual([
            true,
            text,
          ])
          const again = await askAt({ 'accept-encoding': encoding, 'if-none-match': tag })
          expect([again.status, (await askAt({ 'if-none-match': tag })).status]).toEqual([304, 200])
        }
      }
      expect(tags.size).toBe(6)
    }
  })

  test('no inline and no foreign content may run', async () => {
    const document = await ask('/')
    const policy = document.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('*')
    expect(document.headers.get('x-content-type-options')).toBe('nosniff')
    const html = await document.text()
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
  })

  test('can be installed: its manifest and the icons of the sizes that browsers ask for are served with their types, its policy lets the browser read it, and there is no service worker', async () => {
    const html = await textAt('/')
    const [, path = ''] = /<link rel="manifest" href="([^"]+)">/.exec(html) ?? []
    const served = await ask(path)
    expect(served.headers.get('content-type')).toBe('application/manifest+json')
    expect(served.headers.get('content-security-policy')).toContain("manifest-src 'self'")
    const manifest = await served.json()
    expect(manifest).toMatchObject({ name: 'Bourse', start_url: '/', scope: '/', display: 'standalone' })
    const sizes: string[] = []
    for (const { src, type, sizes: named, purpose } of manifest.icons) {
      const icon = await ask(src)
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type])
      // In a PNG, width and height follow the first chunk's name (PNG, 11.2.2).
      const header = new DataView(await icon.arrayBuffer())
      expect([src, `${header.getUint32(16)}x${header.getUint32(20)}`]).toEqual([src, named])
      sizes.push(`${named} ${purpose}`)
    }
    expect(sizes).toEqual(['192x192 any', '512x512 any', '512x512 maskable'])
    for (const file of await pageFiles())
      if (file.type.includes('javascript')) expect(await textAt(file.path)).not.toContain('serviceWorker')
  })

  test('a document that the client already has is not sent again', async () => {
    const etag = (await ask('/')).headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await ask('/', { headers: { 'if-none-match': known } })
      expect(answer.status).toBe(304)
      expect(answer.headers.get('etag')).toBe(etag)
      expect(await answer.text()).toBe('')
    }
    expect((await ask('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test('HEAD is GET without its body', async () => {
    const answer = await ask('/', { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await answer.text()).toBe('')
  })

  test('a missing asset is not found, with the same protection', async () => {
    for (const path of ['/assets/none.js', '/assets/', '/assets/../page.ts', '/assets/index.html']) {
      const answer = await ask(path)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test('other paths and methods are left to the gateway', () => {
    const request = (method: string) => new Request('http://127.0.0.1/', { method })
    expect(page(request('POST'), '/')).toBeUndefined()
    expect(page(request('GET'), '/index.html')).toBeUndefined()
    expect(page(request('GET'), '/api/v3/depth')).toBeUndefined()
  })
})

describe('operator’s page', () => {
  const operatorPage = createOperatorPage()
  const askOperator = async (path: string): Promise<Response> => {
    const answer = await operatorPage(new Request(`http://127.0.0.1${path}`), path)
    if (answer === undefined) throw new Error(`nothing is served at ${path}`)
    return answer
  }

  test('is a different document from the public one, under the same protection, and refers only to what it serves itself', async () => {
    const [document, publicDocument] = [await askOperator('/'), await ask('/')]
    const protection = ({ headers }: Response) =>
      ['content-security-policy', 'cross-origin-opener-policy', 'x-frame-options', 'referrer-policy'].map(
        (name) => headers.get(name),
      )
    expect(protection(document)).toEqual(protection(publicDocument))
    expect(document.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const html = await document.text()
    expect(html).not.toBe(await publicDocument.text())
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
    for (const path of assetPaths(html)) {
      const asset = await askOperator(path)
      expect([path, asset.status]).toEqual([path, 200])
      expect(asset.headers.get('content-security-policy')).toContain("default-src 'none'")
      // The public port has the same icon, and no other file of it.
      if (!path.endsWith('.svg')) expect([path, (await ask(path)).status]).toEqual([path, 404])
    }
  })

  test('is small, and contains no runtime and no development code', async () => {
    const [script = ''] = assetPaths(await (await askOperator('/')).text()).filter((path) =>
      path.endsWith('.js'),
    )
    const text = await (await askOperator(script)).text()
    expect(Bun.gzipSync(new TextEncoder().encode(text)).length).toBeLessThan(100_000)
    expect(text).not.toMatch(/node:(?:fs|crypto|path|net|http)|\bBun\.|jsxDEV|process\.env/)
  })

  test('leaves every other path and method to the admin server', () => {
    const request = (method: string) => new Request('http://127.0.0.1/', { method })
    for (const path of ['/session', '/admin/v1/node/status', '/docs', '/index.html'])
      expect(operatorPage(request('GET'), path)).toBeUndefined()
    expect(operatorPage(request('POST'), '/')).toBeUndefined()
  })
})
