/** The page at `/` for whoever opens the node's address in a browser. */

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bourse</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:42rem;margin:10vh auto;padding:0 1rem}code{background:#8882;padding:.1em .3em}</style>
<h1>Bourse is running</h1>
<p>This is the address of a spot exchange.</p>
<ul>
<li>HTTP interface: <a href="/api/v3/exchangeInfo"><code>/api/v3/exchangeInfo</code></a> shows the symbols</li>
<li>Stream: Socket.IO or a plain WebSocket at this same address</li>
<li>Reference: <code>docs/reference</code> in the project</li>
</ul>
</html>
`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
} as const

/** Answers `GET /` and `HEAD /`; undefined for everything else. */
export function welcomePage(request: Request, path: string): Response | undefined {
  if (path !== '/') return undefined
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  return new Response(request.method === 'HEAD' ? null : PAGE, { headers: HEADERS })
}
