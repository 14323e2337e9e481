/** Refusals of the admin server itself, before the request reaches the exchange. */
import { type OperatorReasonEntry, refused } from './entry.ts'

export const ADMIN_CATALOGUE = {
  NO_CUSTOMERS: refused(
    {
      en: 'this node has no customer sign-up, or its customers process is still starting',
      when: 'an operation about [customers](../customers.md) reaches a node without customer sign-up, or one whose customers process is down; only a sandbox lists emails',
      remedy: 'use a node with customer sign-up; try again in a second',
    },
    404,
  ),
  NOT_WAITING: refused(
    {
      en: 'this customer is not waiting for approval',
      when: 'the [customer](../customers-operations.md#operators) to be approved or refused was approved or refused before, or has not finished signing up',
      remedy: 'see `customer/list`',
    },
    409,
  ),
  NOT_READY: refused(
    {
      en: 'this customer did not ask for a recovery at least 48 hours ago',
      when: 'the [customer](../customers.md#recover-an-account) to be reset has not requested it, has stopped it, or requested it less than 48 hours ago',
      remedy: 'see `customer/requests`',
    },
    409,
  ),
  CHANGED_MAIL: refused(
    {
      en: 'you changed the email address of this customer within the last 30 days: two other operators must reset the account',
      when: "the operator who changed a customer's email address requests a reset of the same customer within 30 days",
      remedy: 'two other operators must request it',
    },
    403,
  ),
  MAIL_TAKEN: refused(
    {
      en: 'this email address cannot be given to the customer',
      when: 'the new email address of a customer is malformed, is the current one, or is that of another customer',
      remedy: 'ask the customer for another address',
    },
    409,
  ),
  NO_SUCH_ENTRY: refused(
    {
      en: 'the trail of customers has no such entry',
      when: 'the trail of customers does not have the requested entry: if the journal has its number, the store is an older copy',
      remedy: 'see `customer/trail` without a number',
    },
    404,
  ),
  UNKNOWN_INVITATION: refused(
    {
      en: 'there is no such invitation',
      when: 'the [invitation](../customers-operations.md#who-can-sign-up) to be ended does not exist, or ended more than 30 days ago',
      remedy: 'see `invitation/list`',
    },
    404,
  ),
  TOO_MANY_INVITATIONS: refused(
    {
      en: 'there are too many invitations',
      when: '10,000 [invitations](../customers-operations.md#who-can-sign-up) exist, including those that ended within the last 30 days',
      remedy:
        'create one invitation for several people with `uses`, or wait until invitations that ended are removed',
    },
    409,
  ),
  TOO_MANY_LOOKS: refused(
    {
      en: 'operators have viewed this customer too often today',
      when: 'operators have viewed the personal data of one [customer](../customers-operations.md#operators) 200 times within 24 hours: no further access can be recorded, so none is allowed',
      remedy: 'wait, or see the earlier accesses in `customer/events`',
    },
    429,
  ),
  CUSTOMERS_DAY_LIMIT: refused(
    {
      en: 'the customers process has reached its limit for today',
      when: 'the [customers](../customers.md) process has opened 10,000 accounts, announced 400,000 new session keys, created 10,000 API keys, changed 20,000 restrictions, or counted 20,000 changes of how customers sign in on this day (UTC) since the node started; one person reaches [a limit of their own](../customers.md#daily-limits) long before',
      remedy:
        'if there really are that many customers, wait for the next day; otherwise look for the cause: that process may be [compromised](../security-customers.md#threats)',
    },
    429,
  ),
  TOO_MANY_SESSION_KEYS: refused(
    {
      en: 'too many session keys are open',
      when: '200,000 [session keys](account.md#session-keys) are open',
      remedy: 'wait until some have ended',
    },
    503,
  ),
  INVALID_BODY: refused({
    en: 'the body is not JSON',
    when: 'the body is not JSON',
    remedy: 'send one JSON object',
  }),
  INVALID_FIELD: refused({
    en: 'a field is invalid',
    when: 'a field is missing, unknown, malformed or given twice; `field` names it',
    remedy: 'the message says what is expected',
  }),
  INVALID_TOKEN: refused(
    {
      en: 'the token is unknown to this node, revoked or expired',
      when: 'the token is unknown to this node, revoked or expired',
      remedy: 'use the token in the node’s `admin.json`, or a named one',
    },
    401,
  ),
  ROLE_NOT_ALLOWED: refused(
    {
      en: 'the role of this token lacks a right',
      when: 'the token’s [role](admin.md#roles) lacks a [right](admin.md#rights)',
      remedy: 'use a token whose role has the right named in the message',
    },
    403,
  ),
  TOKEN_ADDRESS_NOT_ALLOWED: refused(
    {
      en: 'this token may not be used from this address',
      when: 'a [token](admin.md#tokens) that is bound to addresses is used from another address',
      remedy: 'use it from one of its addresses, or change them with `token/set`',
    },
    403,
  ),
  OWN_TOKEN_NEEDED: refused(
    {
      en: "this needs the node’s own token: do it on the node's machine",
      when: "a named token is used for `token/add` of a role that may move or approve money, a change of `approvalAbove`, or an operation that needs the right `owner`: with these, one person could act as [two](admin.md#two-people) or raise their own rights. Also for `archive/record` and `archive/trim`, which use files of the node's machine",
      remedy: 'do it on the node’s machine, with the token in `admin.json`',
    },
    403,
  ),
  SESSION_ENDED: refused(
    {
      en: 'the session has ended: open the page again with your token',
      when: 'the cookie belongs to a [session](operators-page.md#sessions) that has ended: unused for 15 minutes, 8 hours old, logged out, its token revoked or expired, or the node restarted',
      remedy: 'open the page again with the token',
    },
    401,
  ),
  FOREIGN_REQUEST: refused(
    {
      en: 'the request comes from another web page, not from the operator’s page',
      when: 'a request with a [session](operators-page.md#sessions) cookie, or a request to begin a session, has no `Origin` or a foreign one, or its `Sec-Fetch-Site` is not `same-origin`',
      remedy: 'use the page; a program uses its token and no cookie',
    },
    403,
  ),
  CSRF_TOKEN_WRONG: refused(
    {
      en: 'the CSRF token of the session is missing or wrong',
      when: 'a request with the cookie of a [session](operators-page.md#sessions) lacks its `X-CSRF-Token`, or has another one',
      remedy: 'load the page again',
    },
    403,
  ),
  CONFIRMATION_NEEDED: refused(
    {
      en: 'this operation needs the token again',
      when: 'an operation that [needs the token again](operators-page.md#sessions) is requested in a session without `X-Confirm-Token`',
      remedy: 'enter the token of the session again',
    },
    403,
  ),
  CONFIRMATION_WRONG: refused(
    {
      en: 'this is not the token of the session',
      when: '`X-Confirm-Token` is not the token with which the [session](operators-page.md#sessions) began; it counts as a wrong token',
      remedy: 'enter the token of the session',
    },
    403,
  ),
  APPROVAL_CHANGED: refused(
    {
      en: 'the request has changed since it was shown',
      when: 'an approval or rejection in a [session](operators-page.md#sessions) has the digest of a text other than that of the request that is waiting now',
      remedy: 'check it again: the message shows it as it is now',
    },
    409,
  ),
  TOO_MANY_PAGE_SESSIONS: refused(
    {
      en: 'too many sessions are open: try again later',
      when: '200 [sessions](operators-page.md#sessions) are open; a sixth session of one token ends its least recently used one',
      remedy: 'log out of unused sessions',
    },
    429,
  ),
  UNKNOWN_OPERATION: refused(
    {
      en: 'there is no such operation',
      when: 'the path is not the name of an [operation](admin-operations.md#operations)',
      remedy: 'write it as in the table of operations',
    },
    404,
  ),
  UNKNOWN_REFERENCE: refused(
    {
      en: 'no transfer has this reference',
      when: "`transfer/show`: no operator's command and no stored withdrawal has this reference",
      remedy: 'search the audit trail, or `withdrawal/ended`',
    },
    404,
  ),
  UNKNOWN_ACTOR: refused(
    {
      en: 'no actor has this name',
      when: '`audit/list` names an actor for whom there is no token and no action',
      remedy: 'the message has the most similar name, if there is one',
    },
    404,
  ),
  MASTER_KEY_IN_ENVIRONMENT: refused(
    {
      en: 'the master key comes from the environment: put a new one into BOURSE_MASTER_KEY and the current one into BOURSE_MASTER_KEY_PREVIOUS, restart the node, and try again',
      when: 'the master key to be rotated comes from the environment, which the node cannot change',
      remedy: 'change both variables as the message says, restart, and try again',
    },
    409,
  ),
  ROTATION_UNDER_WAY: refused(
    {
      en: 'another request is rotating the master key: try again when it has finished',
      when: 'another request is rotating the master key',
      remedy: 'try again when it has finished',
    },
    409,
  ),
  NO_WEBHOOKS: refused(
    {
      en: 'an engine of a cluster sends no webhooks: read the feed of events instead',
      when: 'a webhook operation is requested of an engine of a [cluster](../webhooks.md#where-they-are-sent-from), which sends no webhooks',
      remedy: 'have a program read the [events](events.md)',
    },
    409,
  ),
  WEBHOOKS_UNREADABLE: refused(
    {
      en: 'the stored webhooks cannot be read',
      when: '`webhooks.sqlite` is damaged or belongs to another version; no webhooks are sent, and the exchange keeps running',
      remedy: 'stop the node and restore the file, or remove it and add the webhooks again',
    },
    500,
  ),
  UNKNOWN_WEBHOOK: refused(
    { en: 'there is no such webhook', when: 'the webhook does not exist', remedy: 'list the webhooks' },
    404,
  ),
  WEBHOOK_EXISTS: refused(
    {
      en: 'a webhook with this name exists',
      when: 'a webhook with this name exists',
      remedy: 'use another name',
    },
    409,
  ),
  WEBHOOK_CANNOT_RESUME: refused(
    {
      en: 'the webhook cannot resume where it stopped',
      when: 'the position of the webhook belongs to [another journal](../webhooks.md#pauses), or its secret cannot be decrypted',
      remedy: 'the message says what is needed',
    },
    409,
  ),
  UNKNOWN_DEAD_EVENT: refused(
    {
      en: 'the webhook has no such undelivered event',
      when: '`webhook/retry` names an event that is not among the undelivered ones, or there are none',
      remedy: 'list the undelivered events',
    },
    404,
  ),
  NOT_A_SANDBOX: refused(
    {
      en: 'faults can be injected only in a sandbox with one gateway',
      when: '`fault/list`, `fault/add` or `fault/clear` on a node that is not a sandbox, or on a sandbox with several gateways',
      remedy: 'start a sandbox with one gateway',
    },
    409,
  ),
  TOO_MANY_FAULTS: refused(
    {
      en: 'there are already 100 faults',
      when: '`fault/add` while 100 faults are active',
      remedy: 'clear some of them',
    },
    409,
  ),
  UNKNOWN_FAULT: refused(
    {
      en: 'there is no fault with this number',
      when: '`fault/clear` names a fault that does not exist or has ended',
      remedy: 'list the faults',
    },
    404,
  ),
  CLOCK_TRUSTED: refused(
    {
      en: 'the clock is trusted: there is nothing to accept',
      when: '`clock/accept` while the clock is trusted',
      remedy: 'none needed',
    },
    409,
  ),
  INVALID_CONTENT_TYPE: refused(
    {
      en: 'the body must be JSON with the header Content-Type: application/json',
      when: 'the request has a body without `Content-Type: application/json`',
      remedy: 'set the header',
    },
    415,
  ),
  WRONG_HOST: refused(
    {
      en: 'this server does not answer to this host name',
      when: 'on a loopback address, `Host` is not `127.0.0.1`, `::1` or `localhost`: a web page could make its own name resolve to this address',
      remedy: 'use the address in `admin.json`',
    },
    421,
  ),
  TOO_MANY_WRONG_TOKENS: refused(
    {
      en: 'too many wrong tokens: wait a minute, or use a valid one',
      when: 'the 21st wrong token in a minute and each after it; valid tokens are never delayed',
      remedy: 'wait a minute, or use a valid token',
    },
    429,
  ),
  TOO_MANY_WAITING: refused(
    {
      en: 'too many clients wait for events: try again later, or without waiting',
      when: '64 requests and connections wait for [events](events.md), or 16 of this token; or 32 connections are open, or 8 of this token; each token can always have one',
      remedy: 'try again later, without `wait`, or with fewer programs',
    },
    429,
  ),
  OTHER_JOURNAL: refused(
    {
      en: 'this number belongs to another journal',
      when: 'the number of an [event](events.md) does not belong to this journal, which was restored from a backup or lost its end',
      remedy: "compare your data with the node's, then [start over](events.md#another-journal)",
    },
    409,
  ),
  WEBSOCKET_NEEDED: refused(
    {
      en: 'the WebSocket connection could not be opened',
      when: 'a WebSocket handshake lacks a [required header](events.md#over-websocket)',
      remedy: 'use a WebSocket client, or `GET` without `Upgrade`',
    },
    426,
  ),
  NO_ARCHIVE: refused(
    {
      en: 'this journal has no archive',
      when: '`archive/record`, `archive/trim` or `journal/archives` in a cluster, whose journal is in PostgreSQL',
      remedy:
        "none: use PostgreSQL's own tools to [move the table](../recovery.md#move-old-commands-to-an-archive)",
    },
    409,
  ),
  JOURNAL_DAMAGED: refused(
    {
      en: 'the journal is damaged at this place',
      when: '`journal/read` or a report reaches a damaged part of the journal, or an archive does not match the journal in `archive/record` or `archive/trim`; the message gives the place',
      remedy: '[repair](../recovery.md#the-journal-is-damaged) it from a backup',
    },
    500,
  ),
  TOO_MANY_REPORTS: refused(
    {
      en: 'too many reports are being made: try again when one has finished',
      when: 'two [reports](../reports.md#from-a-running-node) are being made, or one for this token',
      remedy: 'try again when one has finished',
    },
    429,
  ),
  REPORT_FAILED: refused(
    {
      en: 'the report could not be made',
      when: 'a [report](../reports.md#from-a-running-node) could not be made, for example because the journal has no commands of the period or there is no seed; the message says why',
      remedy: 'follow the message',
    },
    409,
  ),
} as const satisfies Record<string, OperatorReasonEntry>
