/** The proof that every asset sums to zero, computed again on request, without any of the node's own sums. */
import { useSignal } from '@preact/signals'
import { timeText } from '../../state/notation.ts'
import type { PageSession } from '../../state/page-session.ts'
import { type AssetSum, type ZeroProof, zeroProof } from '../../state/zero-proof.ts'
import { type Said, say } from '../../texts/texts.ts'
import { lackOf } from '../parts/asked.ts'
import { LongTable } from '../parts/long-table.tsx'
import { Problem, State } from '../parts/parts.tsx'

type Outcome =
  | { readonly kind: 'none' | 'under way' }
  | { readonly kind: 'proof'; readonly proof: ZeroProof }
  | { readonly kind: 'problem'; readonly reason: string; readonly message: string }

export function ProveZero({ session }: { readonly session: PageSession }) {
  const outcome = useSignal<Outcome>({ kind: 'none' })
  const lack = lackOf(session, 'report/show')
  const found = outcome.value
  const prove = async () => {
    if (lack !== undefined || outcome.value.kind === 'under way') return
    outcome.value = { kind: 'under way' }
    const answer = await session.ask('report/show', { report: 'balances', format: 'json' })
    outcome.value = answer.ok ? outcomeOf(String(answer.result)) : { kind: 'problem', ...answer.error }
  }
  return (
    <div class="prove">
      <p>
        <button
          type="button"
          aria-disabled={lack !== undefined || found.kind === 'under way'}
          title={lack?.message}
          onClick={() => void prove()}
        >
          {found.kind === 'under way' ? say('Checking …') : say('Check all balances again')}
        </button>{' '}
        <span class="help">
          {say('A separate process replays the journal, and this page adds up every balance.')}
        </span>
      </p>
      {found.kind === 'problem' && <Problem {...found} />}
      {found.kind === 'proof' && <Proved proof={found.proof} />}
    </div>
  )
}

function outcomeOf(report: string): Outcome {
  const proof = zeroProof(report)
  return typeof proof === 'string'
    ? { kind: 'problem', reason: 'NO_PROOF', message: proof }
    : { kind: 'proof', proof }
}

function Proved({ proof: { sums, command, time, journalHash, stateHash } }: { readonly proof: ZeroProof }) {
  const off = sums.filter(({ isZero }) => !isZero)
  return (
    <>
      <p role="status">
        {off.length === 0 ? (
          <State word="checked: every asset sums to zero" kind="good" />
        ) : (
          <State
            word={say('do not sum to zero: {assets}', { assets: off.map(({ asset }) => asset).join(', ') })}
            kind="bad"
          />
        )}{' '}
        {say('After command {number}, {time} UTC.', {
          ...{ number: command.toLocaleString('en-US'), time: timeText(time) },
        })}
      </p>
      <LongTable<AssetSum>
        label="Checked sums"
        rows={sums}
        keyOf={({ asset }) => asset}
        none="There is no money in the exchange yet."
        columns={[
          { title: 'Asset', cell: ({ asset }) => asset },
          { title: 'Accounts', isFigure: true, cell: ({ accounts }) => accounts.toLocaleString('en-US') },
          { title: 'All accounts', isFigure: true, cell: ({ inside }) => inside },
          { title: 'Outside the exchange', isFigure: true, cell: ({ outside }) => outside },
          {
            title: 'Sum',
            isFigure: true,
            cell: ({ sum, isZero }) => <State word={sum as Said} kind={isZero ? 'good' : 'bad'} />,
          },
        ]}
      />
      <p class="help hashes">
        {say('Journal hash')}: <code>{journalHash}</code>. {say('State hash')}: <code>{stateHash}</code>.{' '}
        {say('“bourse replay” prints the same hashes.')}
      </p>
    </>
  )
}
