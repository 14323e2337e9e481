/**
 * What the admin server refuses by itself, before the exchange is asked.
 */
import { type OperatorReasonEntry, refused } from './entry.ts'

export const ADMIN_CATALOGUE = {
  INVALID_BODY: refused({
    en: 'the body is not JSON',
    when: 'the body is not JSON',
    remedy: 'send one JSON object',
  }),
  INVALID_FIELD: refused({
    en: 'a field is not what it must be',
    when: 'a field is missing, unknown, malformed or given twice; `field` names it',
    remedy: 'the message says what is expected',
  }),
  INVALID_TOKEN: refused(
    {
      en: 'the token is not known to this node, is revoked, or has expired',
      when: 'no token of this node, or one that is revoked or has expired',
      remedy: 'use the token of this node’s `admin.json`, or a named one',
    },
    401,
  ),
  ROLE_NOT_ALLOWED: refused(
    {
      en: 'the role of this token lacks a right',
      when: 'the token’s [role](#roles) lacks a [right](#rights)',
      remedy: 'use a token whose role has the right that the message names',
    },
    403,
  ),
  TOKEN_ADDRESS_NOT_ALLOWED: refused(
    {
      en: 'this token does not open from this address',
      when: 'a [token](#tokens) that is bound to addresses is used from another one',
      remedy: 'use it from one of them, or bind it to others with `token/set`',
    },
    403,
  ),
  OWN_TOKEN_NEEDED: refused(
    {
      en: 'this takes the node’s own token: do it on its machine',
      when: 'with a named token: `token/add` of a role that may move or approve money, a change of `approvalAbove`, or an operation that takes the right `owner`: one person could be [two](#two-people), or raise what he may himself; `archive/record` and `archive/trim`, which are about files of that machine',
      remedy: 'do it on the node’s machine, with the token of `admin.json`',
    },
    403,
  ),
  SESSION_ENDED: refused(
    {
      en: 'the session has ended: open the page again with your token',
      when: 'a request with the cookie of a [session](#sessions) that has ended: 15 minutes unused, 8 hours old, left, its token revoked or expired, or the node restarted',
      remedy: 'open the page again with the token',
    },
    401,
  ),
  FOREIGN_REQUEST: refused(
    {
      en: 'another page asks, not the operator’s own',
      when: 'a request with the cookie of a [session](#sessions), or to begin one, whose `Origin` is missing or another than the server’s own, or whose `Sec-Fetch-Site` is not `same-origin`',
      remedy: 'use the page; a program uses its token and no cookie',
    },
    403,
  ),
  CSRF_TOKEN_WRONG: refused(
    {
      en: 'the request does not carry the word of its session',
      when: 'a request with the cookie of a [session](#sessions) without its `X-CSRF-Token`, or with another',
      remedy: 'load the page again',
    },
    403,
  ),
  CONFIRMATION_NEEDED: refused(
    {
      en: 'this takes the token again',
      when: 'an operation that [takes the token again](#sessions) is asked for in a session without `X-Confirm-Token`',
      remedy: 'give the token of the session once more',
    },
    403,
  ),
  CONFIRMATION_WRONG: refused(
    {
      en: 'this is not the token of the session',
      when: '`X-Confirm-Token` is not the token that the [session](#sessions) was begun with; counted as any wrong token',
      remedy: 'give the token of the session',
    },
    403,
  ),
  APPROVAL_CHANGED: refused(
    {
      en: 'what waits is not what was shown',
      when: 'an approval or rejection in a [session](#sessions) names the digest of another text than that of what waits under the reference now',
      remedy: 'look at it again: the message says what it is now',
    },
    409,
  ),
  TOO_MANY_PAGE_SESSIONS: refused(
    {
      en: 'as many sessions are open as may be: ask again later',
      when: '200 [sessions](#sessions) are open; a sixth of one token ends the one that was used least lately',
      remedy: 'leave sessions that nobody uses',
    },
    429,
  ),
  UNKNOWN_OPERATION: refused(
    {
      en: 'there is no such operation',
      when: 'the path names no [operation](#operations)',
      remedy: 'write it as in the table',
    },
    404,
  ),
  UNKNOWN_REFERENCE: refused(
    {
      en: 'nothing was ever ordered under this reference',
      when: '`transfer/show` names a reference that no command of an operator has, and no withdrawal that is remembered',
      remedy: 'look for it in the audit trail, or in `withdrawal/ended`',
    },
    404,
  ),
  UNKNOWN_ACTOR: refused(
    {
      en: 'nobody ever acted under this name',
      when: '`audit/list` names an actor that no token has and under whose name nobody ever acted',
      remedy: 'the message has the nearest name, if there is one',
    },
    404,
  ),
  MASTER_KEY_IN_ENVIRONMENT: refused(
    {
      en: 'the master key comes from the environment: put a new one into BOURSE_MASTER_KEY and the one of now into BOURSE_MASTER_KEY_PREVIOUS, restart the node, and ask again',
      when: 'the master key to be rotated comes from the environment, which the node cannot change',
      remedy: 'change both variables as the message says, restart, ask again',
    },
    409,
  ),
  ROTATION_UNDER_WAY: refused(
    {
      en: 'another request is at it: ask again when that is answered',
      when: 'another request is rotating the master key',
      remedy: 'ask again when that is answered',
    },
    409,
  ),
  NO_WEBHOOKS: refused(
    {
      en: 'an engine of a cluster sends no webhooks: read the feed of events',
      when: 'webhooks are asked of an engine of a [cluster](../webhooks.md#where-they-are-sent-from), which sends none',
      remedy: 'have a program read [events](events.md)',
    },
    409,
  ),
  WEBHOOKS_UNREADABLE: refused(
    {
      en: 'what is stored of the webhooks cannot be read',
      when: '`webhooks.sqlite` is damaged, or not for this program; nothing of it is sent, and the exchange goes on',
      remedy: 'restore the file, or take it away while the node is stopped and add the webhooks again',
    },
    500,
  ),
  UNKNOWN_WEBHOOK: refused(
    { en: 'there is no such webhook', when: 'no such webhook', remedy: 'list them' },
    404,
  ),
  WEBHOOK_EXISTS: refused(
    { en: 'a webhook has this name', when: 'a webhook has this name', remedy: 'another name' },
    409,
  ),
  WEBHOOK_CANNOT_RESUME: refused(
    {
      en: 'the webhook cannot go on where it stopped',
      when: 'the position of a webhook is of [another journal](../webhooks.md#pauses), or its secret does not open',
      remedy: 'the message says what it takes',
    },
    409,
  ),
  UNKNOWN_DEAD_EVENT: refused(
    {
      en: 'the webhook has not given up this event',
      when: '`webhook/retry` names an event that the webhook has not given up, or it has given up none',
      remedy: 'list what it gave up',
    },
    404,
  ),
  NOT_A_SANDBOX: refused(
    {
      en: 'faults are for a sandbox with one gateway, which this node is not',
      when: '`fault/list`, `fault/add` or `fault/clear` of a node that is no sandbox, or of one with several gateways',
      remedy: 'start a sandbox with one gateway',
    },
    409,
  ),
  TOO_MANY_FAULTS: refused(
    {
      en: 'there are 100 faults already',
      when: '`fault/add` while 100 faults are in force',
      remedy: 'clear some',
    },
    409,
  ),
  UNKNOWN_FAULT: refused(
    {
      en: 'there is no fault with this number',
      when: '`fault/clear` names a fault that is not there, or has ended',
      remedy: 'list them',
    },
    404,
  ),
  CLOCK_TRUSTED: refused(
    {
      en: 'the clock is trusted: there is nothing to accept',
      when: '`clock/accept` while the clock is trusted',
      remedy: 'nothing',
    },
    409,
  ),
  INVALID_CONTENT_TYPE: refused(
    {
      en: 'a body is JSON and says so: Content-Type: application/json',
      when: 'a body without `Content-Type: application/json`',
      remedy: 'set the header',
    },
    415,
  ),
  WRONG_HOST: refused(
    {
      en: 'this server answers to another name',
      when: 'on the loopback address a `Host` other than `127.0.0.1`, `::1` and `localhost`: a web page may have its own name lead there',
      remedy: 'use the address of `admin.json`',
    },
    421,
  ),
  TOO_MANY_WRONG_TOKENS: refused(
    {
      en: 'wait a minute, or use a right one',
      when: 'the 21st wrong token in a minute, and each after it; right ones are never kept waiting',
      remedy: 'wait a minute, or use a right one',
    },
    429,
  ),
  TOO_MANY_WAITING: refused(
    {
      en: 'too many wait for news already: ask again later, or without waiting',
      when: '64 requests and connections wait for [events](events.md), 16 of this token, or 32 connections are open, 8 of this token; one of each token always finds room',
      remedy: 'ask again later, without `wait`, or have fewer programs read',
    },
    429,
  ),
  OTHER_JOURNAL: refused(
    {
      en: 'this is a number of another journal',
      when: 'an [event](events.md) is asked for that is not of this journal: it was restored from a backup, or lost its end',
      remedy: 'compare what you have with what the node has, then [begin anew](events.md#another-journal)',
    },
    409,
  ),
  WEBSOCKET_NEEDED: refused(
    {
      en: 'the WebSocket could not be opened',
      when: 'a request for a WebSocket lacks a header that [one](events.md#over-websocket) has',
      remedy: 'use a client of WebSockets, or `GET` without `Upgrade`',
    },
    426,
  ),
  NO_ARCHIVE: refused(
    {
      en: 'this journal has no archive',
      when: '`archive/record`, `archive/trim` or `journal/archives` is asked of a cluster, whose journal lies in PostgreSQL',
      remedy:
        'none: PostgreSQL’s own means [move the table](../operating.md#move-old-commands-to-an-archive)',
    },
    409,
  ),
  JOURNAL_DAMAGED: refused(
    {
      en: 'the journal does not hold there what was written',
      when: '`journal/read` or a report comes to a part of the journal that is damaged, or `archive/record` and `archive/trim` find that an archive does not fit the journal; the message names it',
      remedy: '[repair](../operating.md#the-journal-is-damaged) it from a backup',
    },
    500,
  ),
  TOO_MANY_REPORTS: refused(
    {
      en: 'as many reports as may be are being made: ask again when one is there',
      when: 'two [reports](../reports.md#from-a-running-node) are being made, or one for this token',
      remedy: 'ask again when one is there',
    },
    429,
  ),
  REPORT_FAILED: refused(
    {
      en: 'the report could not be made',
      when: 'a [report](../reports.md#from-a-running-node) could not be made: the journal has nothing of the period, say, or there is no seed; the message says why',
      remedy: 'as the message says',
    },
    409,
  ),
} as const satisfies Record<string, OperatorReasonEntry>
