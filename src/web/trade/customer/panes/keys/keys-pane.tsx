/** The API keys of the account: their permissions, and a button to end each. */
import { useEffect, useState } from 'preact/hooks'
import { wordOf } from '../../../account/history/choice.tsx'
import { Time } from '../../../account/time.tsx'
import { Confirm } from '../../../view/confirm.tsx'
import { paneTexts } from '../pane-texts.ts'
import type { PanesState } from '../panes-state.ts'
import { ShownPart } from '../shown-part.tsx'
import { KeyForm } from './key-form.tsx'
import { KeysFlow, type OwnKey } from './keys-flow.ts'
import { MadeKeyView } from './made-key.tsx'

export function KeysPane({ panes }: { readonly panes: PanesState }) {
  const [own] = useState(() => new KeysFlow(panes, () => Date.now()))
  useEffect(() => void panes.load('keys'), [])
  const { made } = own
  if (own.step.value === 'MADE' && made.value !== undefined)
    return <MadeKeyView made={made.value} onSaved={() => own.saved()} />
  if (own.step.value === 'FORM') return <KeyForm own={own} isBusy={panes.isBusy.value} />
  return <KeyList own={own} panes={panes} />
}

type ListProps = { readonly own: KeysFlow; readonly panes: PanesState }

function KeyList({ own, panes }: ListProps) {
  const { keys: texts } = paneTexts()
  const ending = own.ending.value
  return (
    <>
      <p class="trade-hint">{texts.about}</p>
      <p>
        <button type="button" class="trade-primary" disabled={panes.isBusy.value} onClick={() => own.begin()}>
          {texts.make}
        </button>
      </p>
      <ShownPart shown={panes.keys.value} onAgain={() => void panes.load('keys')}>
        {(keys) =>
          keys.length === 0 ? (
            <p class="trade-none">{texts.none}</p>
          ) : (
            <ul class="account-list">
              {keys.map((key) => (
                <KeyEntry
                  key={key.apiKey}
                  own={key}
                  isBusy={panes.isBusy.value}
                  onEnd={() => {
                    own.ending.value = key
                  }}
                />
              ))}
            </ul>
          )
        }
      </ShownPart>
      {ending !== undefined && (
        <Confirm
          title={texts.endTitle(ending.name || texts.nameless)}
          yes={texts.end}
          no={texts.keep}
          onYes={() => void own.end()}
          onNo={() => {
            if (own.ending.peek() === ending) own.ending.value = undefined
          }}
        >
          <p>{texts.endNote}</p>
        </Confirm>
      )}
    </>
  )
}

type EntryProps = { readonly own: OwnKey; readonly isBusy: boolean; readonly onEnd: () => void }

function KeyEntry({ own, isBusy, onEnd }: EntryProps) {
  const { keys: texts } = paneTexts()
  const { name, apiKey, permissions, addresses, wire, kind, isEnabled } = own
  return (
    <li>
      <div class="account-entry-head">
        <div>
          <strong>{name || texts.nameless}</strong>
          {name === '' && <p class="account-network">{texts.namelessNote}</p>}
          {!isEnabled && <p class="trade-problem">{texts.switchedOff}</p>}
        </div>
        <button
          type="button"
          disabled={isBusy}
          aria-label={texts.endOf(name || texts.nameless)}
          onClick={onEnd}
        >
          {texts.end}
        </button>
      </div>
      <code class="account-secret">{apiKey}</code>
      <dl class="account-facts">
        <Fact name={texts.may}>{permissions.map((each) => wordOf(texts.permissions, each)).join(', ')}</Fact>
        <Fact name={texts.from}>{addresses.length === 0 ? texts.anywhere : addresses.join(', ')}</Fact>
        <Fact name={texts.made}>
          <Time at={own.createdAt} />
        </Fact>
        <Fact name={texts.ends}>{own.endsAt === undefined ? texts.never : <Time at={own.endsAt} />}</Fact>
        <Fact name={texts.used}>
          {own.lastUsedAt === undefined ? texts.unused : <Time at={own.lastUsedAt} />}
        </Fact>
        <Fact name={texts.kind}>
          {kind === 'HMAC' ? texts.hmac : texts.ed25519}
          {wire === 'BINANCE' && `, ${texts.wires.BINANCE}`}
        </Fact>
      </dl>
    </li>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
