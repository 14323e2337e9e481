/** The operator's commands for customers who signed up themselves. */
import type {
  AdminCustomer,
  AdminCustomerDetails,
  AdminCustomerEvent,
  AdminCustomerFinding,
} from '../../../contract/admin/customers.ts'
import type { ADMISSION_OPERATIONS, AdminInvitation } from '../../../contract/admin/operations/admission.ts'
import type { PEOPLE_OPERATIONS } from '../../../contract/admin/operations/people.ts'
import { table } from '../../table.ts'
import type { Shown } from '../command.ts'

const words = (list: readonly string[]): string => list.join(' ') || '-'

function customerTable(customers: readonly AdminCustomer[]): string {
  const rows = customers.map((one) => [
    ...[one.account, one.state, one.createdAt, String(one.passkeys), String(one.sessions)],
    ...[words(one.operatorRestrictions), words(one.customerRestrictions)],
  ])
  const headings = ['ACCOUNT', 'STATE', 'CREATED', 'PASSKEYS', 'SESSIONS', 'RESTRICTED', 'BY ITSELF']
  return table(headings, rows, 'There are no customers.')
}

function detailsText(one: AdminCustomerDetails): string {
  const from = one.signedInFrom.map(({ device, network, lastUsedAt }) => [device, network, lastUsedAt])
  return [
    customerTable([one]),
    '',
    `Mail      ${one.mail}`,
    `Language  ${one.language}`,
    `Terms     version ${one.termsVersion}`,
    '',
    table(['DEVICE', 'NETWORK', 'LAST USED'], from, 'Not signed in anywhere.'),
  ].join('\n')
}

function eventTable(events: readonly AdminCustomerEvent[]): string {
  const rows = events.map(({ at, kind, device, network, by = '-', reason = '-', shownAt = '-' }) => [
    ...[at, kind, device || '-', network || '-', by, reason, shownAt],
  ])
  return table(['AT', 'WHAT', 'DEVICE', 'NETWORK', 'OPERATOR', 'REASON', 'SHOWN FROM'], rows, 'Nothing.')
}

function findingTable(findings: readonly AdminCustomerFinding[]): string {
  const rows = findings.map(({ account, place, looksLike }) => [account, place, looksLike])
  return table(['ACCOUNT', 'WHERE', 'LOOKS LIKE'], rows, 'Nothing was found.')
}

function invitationTable(invitations: readonly AdminInvitation[]): string {
  const rows = invitations.map((one) => [
    ...[one.id, `${one.uses} of ${one.usesMax}`, one.isForOneAddress ? 'one address' : 'anybody'],
    ...[one.by, one.createdAt, one.endsAt],
  ])
  return table(['INVITATION', 'USED', 'FOR', 'BY', 'MADE', 'ENDS'], rows, 'There are no invitations.')
}

export const ADMISSION_ANSWERS: Shown<typeof ADMISSION_OPERATIONS> = {
  'customer/approve': ({ account, state }) => `${account} is ${state}.`,
  'customer/refuse': () => 'The customer was refused, and their data was erased.',
  'invitation/add': ({ id, code, endsAt }) =>
    `Invitation ${id}, until ${endsAt}. Its code is shown only once:\n${code}`,
  'invitation/list': invitationTable,
  'invitation/end': () => 'The invitation was ended.',
}

/** `next`: the account after which a further request continues. */
function withNext(text: string, next: string | undefined): string {
  return next === undefined ? text : `${text}\nMore: --after ${next}`
}

export const PEOPLE_ANSWERS: Shown<typeof PEOPLE_OPERATIONS> = {
  'customer/list': customerTable,
  'customer/find': ({ customers, next }) => {
    const rows = customers.map(({ account, state, mail }) => [account, state, mail])
    return withNext(table(['ACCOUNT', 'STATE', 'MAIL'], rows, 'No customer was found.'), next)
  },
  'customer/show': { show: detailsText },
  'customer/events': eventTable,
  'customer/erase': ({ account, erased }) =>
    `The erasure of ${account} was journaled. ${erased ? 'The data was erased.' : 'The customers process did not answer: its next start erases the data.'}`,
  'customer/freeze': ({ account, restrictions, sessionsEnded }) =>
    `${account} is frozen: ${words(restrictions)}. ${sessionsEnded ? 'Its sessions were ended.' : 'Its sessions could not be ended: repeat the command.'}`,
  'customer/unfreeze': ({ isDone, askedBy, askedAt }) =>
    isDone
      ? `The freeze was lifted, as requested by ${askedBy}. Withdrawals stay blocked for 24 hours.`
      : `${askedBy} requested it at ${askedAt}. A second operator must run the same command within a day.`,
  'customer/export': { show: (data) => JSON.stringify(data, undefined, 2) },
  'customer/requests': (requests) => {
    const rows = requests.map(({ account, askedAt, readyAt }) => [account, askedAt, readyAt])
    return table(['ACCOUNT', 'ASKED', 'READY'], rows, 'No customer has requested a recovery.')
  },
  'customer/reset': ({ isDone, askedBy, askedAt }) =>
    isDone
      ? `The link is being sent to the customer, as requested by ${askedBy}. It is valid for 24 hours.`
      : `${askedBy} requested it at ${askedAt}. A second operator must run the same command within a day.`,
  'customer/mail': ({ isDone, askedBy, askedAt }) =>
    isDone
      ? `The email address changes in 7 days, as requested by ${askedBy}. The old address gets an email.`
      : `${askedBy} requested it at ${askedAt}. A second operator must run the same command within a day.`,
  'customer/trail': ({ entries, broken, number, hash }) =>
    [
      broken === null
        ? `${entries} entries; the chain is intact.`
        : `${entries} entries. BROKEN at ${broken}: it was changed, or an earlier entry was removed.`,
      `Entry ${number}: ${hash}`,
    ].join('\n'),
  'customer/check': ({ findings, next }) => withNext(findingTable(findings), next),
}
