/** The settings of the customers process, derived from those of a node or a cluster. */
import type { Logger } from '../../server/common/logger.ts'
import type { CustomersSettings } from '../settings/defaults.ts'
import type { SmtpSettings } from './smtp-transport.ts'

/** Undefined if no mail server is set; the log reports that. */
export function smtpOf(
  {
    mailHost: host,
    mailPort: port,
    mailFrom: from,
    mailUser: user,
    mailPasswordFile: passwordFile,
  }: CustomersSettings,
  log: Logger,
): SmtpSettings | undefined {
  if (host !== undefined && from !== undefined) return { host, port, from, user, passwordFile }
  log.warn({}, 'without customers.mailHost no email leaves: customers cannot sign up, or be warned')
  return undefined
}
