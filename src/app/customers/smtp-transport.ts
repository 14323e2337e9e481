/** Sends emails over SMTP with nodemailer: always over TLS, except to a server on this machine. */
import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import type { MailOutcome, MailToSend, MailTransport } from '../../customers/ports.ts'
import { isLoopback } from '../../server/listener/loopback.ts'

export type SmtpSettings = {
  readonly host: string
  readonly port: number
  /** The sender's address. */
  readonly from: string
  readonly user?: string | undefined
  /** The first line of this file is the password of `user`; it is read at the start of each connection. */
  readonly passwordFile?: string | undefined
}

/** The SMTP port where TLS is used from the start (RFC 8314, 3.3); every other port uses STARTTLS. */
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

  /**
   * One connection for each email: emails are few, and no state of an earlier one remains. Throws a
   * `SystemError`.
   */
  #connection() {
    const { host, port, user, passwordFile } = this.#settings
    const pass = passwordFile === undefined ? '' : (readFileSync(passwordFile, 'utf8').split('\n')[0] ?? '')
    const isPlain = isLoopback(host) && user === undefined && port !== IMPLICIT_TLS_PORT
    return createTransport({
      ...{ host, port, secure: port === IMPLICIT_TLS_PORT },
      // A server without TLS gets no email, unless it is on this machine and needs no password.
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

/**
 * The connection was open and is lost: the library does not report whether the email was sent before that.
 */
const LOST = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT']

/** According to the server's answer (RFC 5321, 4.2.1): 5xx about the recipient or the email is permanent. */
function outcomeOf(cause: unknown): MailOutcome {
  const { responseCode, command = '', code = '', syscall } = cause as SmtpError
  const problem = `${code} ${command} ${responseCode ?? 'no answer'}`
  const isAboutMail = /^(?:RCPT TO|DATA)$/.test(command)
  if (responseCode !== undefined && responseCode >= 500 && isAboutMail) return { kind: 'REFUSED', problem }
  if (responseCode === undefined && syscall !== 'connect' && LOST.includes(code))
    return { kind: 'IN_DOUBT', problem }
  return { kind: 'LATER', problem }
}
