/** Text as a QR code; the drawing code is loaded with the first one. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

type LazyQrCodeProps = { readonly text: string; readonly name: string }

export function LazyQrCode({ text, name }: LazyQrCodeProps) {
  const drawn = useSignal<{ readonly path: string; readonly size: number } | undefined>(undefined)
  useEffect(() => {
    import('./qr-path.ts').then(
      ({ qrPath }) => {
        drawn.value = qrPath(text)
      },
      // The same secret is shown below it as text.
      () => {},
    )
  }, [text])
  const code = drawn.value
  if (code === undefined) return <div class="account-qr" />
  return (
    <svg class="account-qr" viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={name}>
      <path d={code.path} />
    </svg>
  )
}
