/** People who sign up at a cluster, whose emails are sent. */
import type { SmallMailServer } from '../../../src/app/customers/small-mail-server.fixture.ts'
import { type Answered, answered, type Customer } from '../../support/customer.ts'
import { WAIT_MS_MAX } from '../../support/until.ts'
import type { ClusterProcesses } from './cluster-processes.ts'

type Mails = Pick<SmallMailServer, 'taken'>

/** The site of a `Customer` at this gateway. */
export function siteOf(cluster: ClusterProcesses, gateway: 'gateway-1' | 'gateway-2') {
  return {
    url: cluster.urlOf(gateway),
    admin: async () => Promise.reject(new Error('the mails of a cluster are sent')),
  }
}

/** The text of the newest mail with a link to confirm. */
async function confirmation(to: string, mails: Mails, cluster: ClusterProcesses): Promise<string> {
  for (const endMs = performance.now() + WAIT_MS_MAX; performance.now() < endMs; await Bun.sleep(20)) {
    const mail = mails.taken.findLast((each) => each.includes(`To: ${to}`)) ?? ''
    // Quoted-printable (RFC 2045, 6.7).
    const text = mail.replaceAll('=\n', '').replaceAll('=3D', '=')
    if (text.includes('#confirm=')) return text
  }
  throw new Error(`no mail to ${to} came: ${cluster.said}`)
}

/** Signs up by email until there is a session with a key; returns the answer of the last step. */
export async function signUpByMail(
  customer: Customer,
  mail: string,
  mails: Mails,
  cluster: ClusterProcesses,
): Promise<Answered> {
  const begun = await answered(() => customer.begin(mail))
  if (begun.status !== 202) return begun
  const token = /#confirm=([\w-]{43})/.exec(await confirmation(mail, mails, cluster))?.[1]
  const confirmed = await customer.ask('POST', 'signup/confirm', { token })
  return confirmed.status === 200 ? customer.register() : confirmed
}
