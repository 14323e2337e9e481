/** A mail server for tests. */
import { createServer, type Server, type Socket } from 'node:net'

/** A minimal mail server (RFC 5321): it answers by `answers` and keeps the emails that it has accepted. */
export class SmallMailServer {
  readonly taken: string[] = []
  readonly commands: string[] = []
  /** The answers by command; the text `HANG UP` closes the connection instead. */
  answers: Readonly<Record<string, string>> = {}
  #server: Server | undefined

  async start(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = createServer((socket) => this.#serve(socket)).listen(0, '127.0.0.1', resolve)
    this.#server = server
    await promise
    return (server.address() as { readonly port: number }).port
  }

  stop(): void {
    this.#server?.close()
  }

  #serve(socket: Socket): void {
    let data: string[] | undefined
    let rest = ''
    const say = (command: string, usual: string) => {
      const answer = this.answers[command] ?? usual
      if (answer === 'HANG UP') socket.destroy()
      else socket.write(`${answer}\r\n`)
    }
    socket.on('error', () => {})
    socket.write('220 mail.example ESMTP\r\n')
    socket.on('data', (bytes) => {
      const lines = `${rest}${bytes}`.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (data !== undefined && line !== '.') data.push(line)
        else if (data !== undefined) {
          this.taken.push(data.join('\n'))
          data = undefined
          say('MESSAGE', '250 taken')
        } else {
          const command = line.split(' ')[0]?.toUpperCase() ?? ''
          this.commands.push(command)
          if (command === 'DATA') data = []
          if (command === 'QUIT') socket.end('221 bye\r\n')
          else say(command, USUAL[command] ?? '250 mail.example')
        }
      }
    })
  }
}

const USUAL: Readonly<Record<string, string>> = { DATA: '354 go on', STARTTLS: '502 not here' }
