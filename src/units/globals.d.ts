/** The two globals, not part of the language, that every runtime has and this ring needs. */
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
  encodeInto(text: string, bytes: Uint8Array): { readonly read: number; readonly written: number }
}
declare class TextDecoder {
  constructor(label: 'utf-8', options: { readonly fatal: boolean; readonly ignoreBOM: boolean })
  decode(bytes: Uint8Array): string
}
