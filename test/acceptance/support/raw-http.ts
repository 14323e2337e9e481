/** HTTP written by hand over TCP, for requests that no well-behaved client would send. */
import { connect } from 'node:net'
import type { Answer } from './client.ts'
import { exactJson } from './exact-json.ts'

export type HandWritten = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends exactly these lines and resolves with everything received until the server closes the connection. */
export async function rawExchange(url: string, request: HandWritten): Promise<Answer> {
  const { host, hostname, port } = new URL(url)
  const lines = Object.entries({ Host: host, ...request.headers }).map(([name, value]) => `${name}: ${value}`)
  const head = [`${request.method} ${request.path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
  const text = await new Promise<string>((resolve, reject) => {
    let seen = ''
    const socket = connect(Number(port), hostname, () => socket.write(head + (request.body ?? '')))
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      seen += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(seen))
  })
  const end = text.indexOf('\r\n\r\n')
  const [status = '', ...fields] = text.slice(0, end).split('\r\n')
  const headers = new Headers(fields.map((line) => line.split(/: (.*)/, 2) as [string, string]))
  const content = text.slice(end + 4)
  return { status: Number(status.split(' ')[1]), headers, text: content, body: exactJson(content) }
}
