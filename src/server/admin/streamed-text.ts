/**
 * An answer of the admin server that is not a JSON object and may be long: bytes produced while they are
 * read.
 */
export class StreamedText {
  readonly contentType: string
  readonly body: ReadableStream<Uint8Array>

  constructor(contentType: string, body: ReadableStream<Uint8Array>) {
    this.contentType = contentType
    this.body = body
  }
}
