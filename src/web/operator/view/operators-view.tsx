/** Operators' access: tokens, roles with what remains of their limits, and the number of approvers. */
import type { AdminRoleInfo, AdminTokenInfo } from '../../../contract/admin/records.ts'
import { decimalText, timeText } from '../state/notation.ts'
import type { PageSession } from '../state/page-session.ts'
import { type Said, say } from '../texts/texts.ts'
import { Action } from './parts/action.tsx'
import { useAsked } from './parts/asked.ts'
import { LongTable } from './parts/long-table.tsx'
import { Facts, Panel, Shown, State } from './parts/parts.tsx'

type Parts<Row> = {
  readonly session: PageSession
  readonly rows: readonly Row[]
  readonly onDone: () => void
}

export function OperatorsView({ session }: { readonly session: PageSession }) {
  const tokens = useAsked(session, 'token/list', {})
  const roles = useAsked(session, 'role/list', {})
  const rules = useAsked(session, 'approval/show', {})
  return (
    <div class="stack">
      <Panel
        title="Tokens"
        actions={<Action session={session} command="token add" label="Create token" onDone={tokens.again} />}
      >
        <Shown asked={tokens}>
          {(rows) => <Tokens session={session} rows={rows} onDone={tokens.again} />}
        </Shown>
      </Panel>
      <Panel
        title="Roles"
        actions={
          <>
            <Action session={session} command="role set" label="Set role" onDone={roles.again} />
            <Action session={session} command="role limit" label="Limit role" onDone={roles.again} />
          </>
        }
      >
        <Shown asked={roles}>{(rows) => <Roles session={session} rows={rows} onDone={roles.again} />}</Shown>
      </Panel>
      <Panel
        title="Approvals needed"
        actions={<Action session={session} command="approval needed" label="Change" onDone={rules.again} />}
      >
        <Shown asked={rules}>
          {({ needed, assets }) => (
            <Facts
              pairs={[
                ['Other people who must approve', String(needed)],
                ...assets.map((own) => [own.asset as Said, String(own.needed)] as const),
              ]}
            />
          )}
        </Shown>
      </Panel>
    </div>
  )
}

function Tokens({ session, rows, onDone }: Parts<AdminTokenInfo>) {
  return (
    <LongTable
      label="Tokens"
      rows={rows}
      keyOf={({ name }) => name}
      none="There are no named tokens."
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Role', cell: ({ role }) => role },
        {
          title: 'State',
          cell: ({ revoked }) =>
            revoked ? <State word="revoked" kind="bad" /> : <State word="in use" kind="good" />,
        },
        { title: 'Created, UTC', cell: ({ createdAt }) => timeText(createdAt) },
        {
          title: 'Expires, UTC',
          cell: ({ expiresAt }) => (expiresAt === null ? say('never') : timeText(expiresAt)),
        },
        { title: 'Allowed addresses', cell: ({ addresses }) => addresses.join(', ') || say('any') },
        {
          title: 'Last used, UTC',
          cell: ({ lastUsedAt, lastUsedFrom }) => `${timeText(lastUsedAt)} ${lastUsedFrom ?? ''}`,
        },
        {
          title: 'Action',
          isFirst: true,
          cell: (token) =>
            !token.revoked && (
              <div class="actions">
                <Action
                  session={session}
                  command="token set"
                  label="Change"
                  {...ofToken(token)}
                  onDone={onDone}
                />
                <Action
                  session={session}
                  command="token revoke"
                  label="Revoke"
                  {...ofToken(token)}
                  isDangerous
                  onDone={onDone}
                />
              </div>
            ),
        },
      ]}
    />
  )
}

function ofToken(token: AdminTokenInfo) {
  return { fixed: { name: token.name }, record: token }
}

function Roles({ session, rows, onDone }: Parts<AdminRoleInfo>) {
  return (
    <LongTable
      label="Roles"
      rows={rows}
      keyOf={({ name }) => name}
      none="There are no roles."
      columns={[
        { title: 'Role', cell: ({ name }) => name },
        { title: 'Kind', cell: ({ builtIn }) => (builtIn ? say('built in') : say('your own')) },
        { title: 'Limits', cell: limitsText },
        {
          title: 'Action',
          isFirst: true,
          cell: ({ name, builtIn }) =>
            !builtIn && (
              <Action
                session={session}
                command="role remove"
                label="Remove"
                fixed={{ name }}
                isDangerous
                onDone={onDone}
              />
            ),
        },
        { title: 'Rights', cell: ({ rights }) => <span class="rights">{rights.join(', ')}</span> },
      ]}
    />
  )
}

function limitsText({ limits }: AdminRoleInfo): string {
  const texts = limits.map(({ asset, inEach, inDay, inLeft, outEach, outDay, outLeft }) => {
    const ways = [
      ['in', inEach, inDay, inLeft],
      ['out', outEach, outDay, outLeft],
    ] as const
    const words = ways.flatMap(([way, each, day, left]) => [
      ...(each === '0' ? [] : [say(`${way} per command {amount}`, { amount: decimalText(each) })]),
      ...(left === null
        ? []
        : [
            say(`${way} per day {amount}, {left} left`, {
              amount: decimalText(day),
              left: decimalText(left),
            }),
          ]),
    ])
    return `${asset}: ${words.join('; ')}`
  })
  return texts.join(' | ') || say('none')
}
