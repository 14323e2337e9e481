/** Mails over SMTP, by nodemailer: over TLS always, but to a server of this machine. */
import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import type { MailOutcome, MailToSend, MailTransport } from '../../customers/ports.ts'
import { isLoopback } from '../../server/listener/loopback.ts'

export type SmtpSettings = {
  readonly host: string
  readonly port: number
  /** The address that mails come from. */
  readonly from: string
  readonly user?: string | undefined
  /** Its first line is the password of `user`; read at each connection's beginning. */
  readonly passwordFile?: string | undefined
}

/** The port of SMTP that begins with TLS (RFC 8314, 3.3); every other one begins it by STARTTLS. */
const IMPLICIT_TLS_PORT = 465
const TIMEOUT_MS = 20_000

export class SmtpTransport implements MailTransport {
  readonly #settings: SmtpSettings

  constructor(settings: SmtpSettings) {
    this.#settings = settings
  }

  async send({ messageId, fromName, to, subject, text, language }: MailToSend): Promise<MailOutcome> {
    const { from } = this.#settings
    try {
      const transport = this.#connection()
      const sender = { name: fromName, address: from }
      const headers = { 'Auto-Submitted': 'auto-generated', 'Content-Language': language }
      await transport.sendMail({
        from: sender,
        to: { name: '', address: to },
        subject,
        text,
        messageId,
        headers,
      })
      return { kind: 'SENT' }
    } catch (cause) {
      return outcomeOf(cause)
    }
  }

  /** One for each mail: there are few, and no state of an earlier one is left. Throws a `SystemError`. */
  #connection() {
    const { host, port, user, passwordFile } = this.#settings
    const pass = passwordFile === undefined ? '' : (readFileSync(passwordFile, 'utf8').split('\n')[0] ?? '')
    const isPlain = isLoopback(host) && user === undefined && port !== IMPLICIT_TLS_PORT
    return createTransport({
      ...{ host, port, secure: port === IMPLICIT_TLS_PORT },
      // A server that offers no TLS gets no mail: but for one of this machine that wants no password.
      requireTLS: port !== IMPLICIT_TLS_PORT && !isPlain,
      ignoreTLS: isPlain,
      ...(user === undefined ? {} : { auth: { user, pass } }),
      ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    })
  }
}

type SmtpError = {
  readonly responseCode?: number
  readonly command?: string
  readonly code?: string
  readonly syscall?: string
}

/** A connection that was there and is lost: the library does not say whether before the mail or after it. */
const LOST = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT']

/** As far as the server's answer says (RFC 5321, 4.2.1): 5xx about the recipient or the mail is for good. */
function outcomeOf(cause: unknown): MailOutcome {
  const { responseCode, command = '', code = '', syscall } = cause as SmtpError
  const problem = `${code} ${command} ${responseCode ?? 'no answer'}`
  const isAboutMail = /^(?:RCPT TO|DATA)$/.test(command)
  if (responseCode !== undefined && responseCode >= 500 && isAboutMail) return { kind: 'REFUSED', problem }
  if (responseCode === undefined && syscall !== 'connect' && LOST.includes(code))
    return { kind: 'IN_DOUBT', problem }
  return { kind: 'LATER', problem }
}
