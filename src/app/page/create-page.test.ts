import { describe, expect, test } from 'bun:test'
import { createOperatorPage, createPage } from './create-page.ts'

const page = createPage()

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await page(new Request(`http://127.0.0.1${path}`, init), path)
  if (answer === undefined) throw new Error(`nothing is served at ${path}`)
  return answer
}

function assetPaths(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1] ?? '')
}

describe('page for people', () => {
  test('the document and everything that it names are served from this node alone', async () => {
    const document = await ask('/')
    expect(document.status).toBe(200)
    expect(document.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const paths = assetPaths(await document.text())
    expect(paths.map((path) => path.replace(/-[^.]+/, '')).sort()).toEqual([
      '/assets/icon.svg',
      '/assets/page.css',
      '/assets/page.js',
    ])
    for (const path of paths) {
      const asset = await ask(path)
      expect(asset.status).toBe(200)
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect((await asset.text()).length).toBeGreaterThan(100)
    }
  })

  test('is less than 100 KB when it is opened, compressed: the chart, which is not small, is fetched when it is in sight', async () => {
    const html = await (await ask('/')).text()
    const paths = ['/', ...assetPaths(html)]
    const sizes = await Promise.all(
      paths.map(async (path) => Bun.gzipSync(await (await ask(path)).bytes()).length),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000)
    const [script = ''] = paths.filter((path) => path.endsWith('.js'))
    const text = await (await ask(script)).text()
    expect(text).not.toMatch(/\bfrom ?"|\bimport ?"/)
    const lazy = /import\("([^"]+)"\)/.exec(text)?.[1] ?? ''
    const chart = await ask(lazy)
    expect(chart.headers.get('cache-control')).toContain('immutable')
    const chartSize = Bun.gzipSync(await chart.bytes()).length
    expect(chartSize).toBeGreaterThan(40_000)
    expect(chartSize).toBeLessThan(70_000)
  })

  test('the reference of the interface is served under /docs, and names nothing that is not', async () => {
    for (const path of ['/docs', '/docs/stream']) {
      const document = await ask(path)
      expect([document.status, document.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ])
      expect(document.headers.get('cache-control')).toBe('no-cache')
      const text = await document.text()
      expect(text).not.toMatch(/<script|<style| style=| on[a-z]+=|https?:\/\//)
      for (const named of new Set(assetPaths(text)))
        expect([named, (await ask(named)).status]).toEqual([named, 200])
      const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
      const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
      expect(links.filter((id) => !anchors.has(id))).toEqual([])
    }
    expect((await ask('/docs/nothing')).status).toBe(404)
  })

  test('nothing inline and nothing foreign may run', async () => {
    const document = await ask('/')
    const policy = document.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('*')
    expect(document.headers.get('x-content-type-options')).toBe('nosniff')
    const html = await document.text()
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
  })

  test('a document that the client has is not sent again', async () => {
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

  test('an asset that is not there is not found, with the same protection', async () => {
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

  test('is another document than the public one, under the same protection, and names nothing that it does not serve itself', async () => {
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
      // The public port has the same icon, and nothing else of it.
      if (!path.endsWith('.svg')) expect([path, (await ask(path)).status]).toEqual([path, 404])
    }
  })

  test('is small, and has nothing of a runtime or of development in it', async () => {
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
