/** An answer of the admin server that is no JSON object and may be long: bytes that come as they are read. */
export class StreamedText {
  readonly contentType: string
  readonly body: ReadableStream<Uint8Array>

  constructor(contentType: string, body: ReadableStream<Uint8Array>) {
    this.contentType = contentType
    this.body = body
  }
}
