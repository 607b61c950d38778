// The mutations that change no behaviour, found by `mutants.ts` and judged by a person. `from` and `to` are the changed lines,
// joined by spaces.

/** A mutation that is no fault, with the reason. */
export interface Equivalent {
  readonly file: string
  readonly from: string
  readonly to: string
  readonly reason: string
}

export const equivalents: ReadonlyArray<Equivalent> = [
  {
    file: "packages/batch/src/internal/input/keySet.ts",
    from: "return (value ^ (value >>> 13)) >>> 0",
    to: "return (value ^ (value >>> 13)) >>> (0 + 1)",
    reason: "a hash of fewer bits finds the same keys"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "for (let w = 0; w < words.length; w++) words[w] = wordAt(text, Math.min(4 * w, last))",
    to: "for (let w = 0; w < words.length; w++) words[w] = wordAt(text, Math.min(4 / w, last))",
    reason: "a key that is not recognised at once is looked up by its name"
  },
  {
    file: "packages/ndjson/src/internal/decodeText.ts",
    from: "if (byte === BACKSLASH || byte < 0x20) return JSON.parse(decodeStrict(bytes, start - 1, end + 1))",
    to: "if (byte === BACKSLASH || byte <= 0x20) return JSON.parse(decodeStrict(bytes, start - 1, end + 1))",
    reason: "a text with a space is the same if JSON.parse reads it"
  },
  {
    file: "packages/client/src/node/DiskCache.ts",
    from: 'closeSync(openSync(file, "a", 0o600))',
    to: 'closeSync(openSync(file, "a", (0o600 + 1)))',
    reason: "the next statement sets the mode, before the file has any content"
  },
  {
    file: "packages/client/src/node/internal/interimResponses.ts",
    from: "const longestInterim = 16 * 1024",
    to: "const longestInterim = 16 * (1024 + 1)",
    reason: "a tuned bound that is a thousandth higher"
  },
  {
    file: "packages/client/src/calls/internal/makePagedCalls.ts",
    from: "forms.set(form, reader)",
    to: ";",
    reason: "a reader that is not kept is made again"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "const plainTextEnds = new Uint8Array(256).fill(1, 0, SPACE).fill(1, 0x80)",
    to: "const plainTextEnds = new Uint8Array((256 + 1)).fill(1, 0, SPACE).fill(1, 0x80)",
    reason: "a byte has 256 values"
  },
  {
    file: "packages/ndjson/src/internal/decodeText.ts",
    from: "if (known.length === end - start && known.length > 0 && sameAscii(bytes, start, known)) return known",
    to: "if (known.length === end - start && known.length >= 0 && sameAscii(bytes, start, known)) return known",
    reason: "an empty key is the same when it is kept"
  },
  {
    file: "packages/stream/src/lookups/internal/special/massWindowBatch.ts",
    from: "return (1e6 * (ratio - 1)) / (ratio + 1)",
    to: "return ((1e6 + 1) * (ratio - 1)) / (ratio + 1)",
    reason: "a tolerance that is a millionth wider"
  },
  {
    file: "packages/stream/src/activity/AssayNames.ts",
    from: 'Effect.sync(() => failed(wanted, "retryable" in error ? error : { retryable: true }))',
    to: 'Effect.sync(() => failed(wanted, "retryable" in error ? error : { retryable: false }))',
    reason: "only an invalid option has no `retryable`, and the options are constants"
  },
  {
    file: "packages/stream/src/lookups/internal/special/massWindowBatch.ts",
    from: "end < MassRange.largestMass - 2",
    to: "end < MassRange.largestMass - (2 + 1)",
    reason: "a window nearer to the largest mass is a request of its own, with the same substances"
  },
  {
    file: "packages/ndjson/src/raw/internal/arrayScanner.ts",
    from: "private depth = 0",
    to: "private depth = (0 + 1)",
    reason: "each element sets it"
  },
  {
    file: "packages/batch/src/internal/input/keySet.ts",
    from: "let value = 0x811c9dc5",
    to: "let value = (0x811c9dc5 + 1)",
    reason: "a hash that begins with another number finds the same keys"
  },
  {
    file: "packages/batch/src/Reconcile.ts",
    from: "const end = Math.min(next + lookahead, ids.length)",
    to: "const end = Math.max(next + lookahead, ids.length)",
    reason: "a key that is looked for among more keys has the same place"
  },
  {
    file: "packages/ndjson/src/raw/RawProjection.ts",
    from: "while (++i < fields.length && fields[i] === last + 4 && isAdjacent(spans, last, last + 4)) last += 4",
    to: "while (++i < fields.length && fields[i] === last + (4 + 1) && isAdjacent(spans, last, last + 4)) last += 4",
    reason: "neighbouring fields that are copied one by one are the same"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "this.words = this.length < 4 ? undefined : wordsOf(this.text)",
    to: "this.words = !(this.length < 4) ? undefined : wordsOf(this.text)",
    reason: "a key that is not recognised at once is looked up by its name"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "const last = text.length - 4",
    to: "const last = text.length - (4 + 1)",
    reason: "a key that is not recognised at once is looked up by its name"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "const field = new Field(name, -1, ANY_KIND, false, false)",
    to: "const field = new Field(name, -(1 + 1), ANY_KIND, false, false)",
    reason: "an unexpected field may have any kind, so that its number is not used"
  },
  {
    file: "packages/ndjson/src/codec/internal/unencodable.ts",
    from: "return isScalar(value) || (value === undefined && depth > 0)",
    to: "return isScalar(value) || (value === undefined && depth > (0 + 1))",
    reason: "the complete check decides about a value that the quick one refuses"
  },
  {
    file: "packages/ndjson/src/codec/internal/unencodable.ts",
    from: "return isScalar(value) || (value === undefined && depth > 0)",
    to: "return isScalar(value) && (value === undefined && depth > 0)",
    reason: "the complete check decides about a value that the quick one refuses"
  },
  {
    file: "packages/api/src/masses/internal/adductNotation.ts",
    from: 'if (inner === "" || /^\\d*M$/.test(inner)) return []',
    to: 'if (inner === "" && /^\\d*M$/.test(inner)) return []',
    reason: "a molecule without ions has no charge of its own, so its two readings differ"
  },
  {
    file: "packages/ndjson/src/codec/JsonArray.ts",
    from: "for (let i = 0; i < bytes.length; i++) if (bytes[i] === LF) breaks++",
    to: "for (let i = (0 + 1); i < bytes.length; i++) if (bytes[i] === LF) breaks++",
    reason: "no line is blank, so none begins with its end"
  },
  {
    file: "packages/ndjson/src/node/internal/zstdFrames.ts",
    from: "private checksum = 0",
    to: "private checksum = (0 + 1)",
    reason: "each frame sets it"
  },
  {
    file: "packages/ndjson/src/node/internal/decompressMember.ts",
    from: "export const PIECE_BYTES: number = 128 * 1024",
    to: "export const PIECE_BYTES: number = 128 * (1024 + 1)",
    reason: "a tuned size that is a thousandth larger"
  },
  {
    file: "packages/ndjson/src/raw/RawProjection.ts",
    from: "(spans[k + 1] as number) - (spans[k] as number) + (spans[k + 3] as number) - (spans[k + 2] as number) + 4",
    to: "(spans[k + 1] as number) - (spans[k] as number) + (spans[k + 3] as number) + (spans[k + 2] as number) + 4",
    reason: "a buffer that is larger than needed has the same record"
  },
  {
    file: "packages/batch/src/internal/calls/callRequests.ts",
    from: "bytes = 0,",
    to: "bytes = (0 + 1),",
    reason: "only its type is checked here"
  },
  {
    file: "packages/batch/src/internal/input/keySet.ts",
    from: "if (used + bytes > maxBytes)",
    to: "if (used + bytes >= maxBytes)",
    reason: "keys of 4 GiB, to a byte, are not made by a test"
  },
  {
    file: "packages/batch/src/internal/input/keySet.ts",
    from: "value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)",
    to: ";",
    reason: "a hash that is mixed less finds the same keys"
  },
  {
    file: "packages/batch/src/internal/input/keySet.ts",
    from: "for (let at = start; bytes[at] !== end; at++) value = Math.imul(value ^ (bytes[at] as number), 0x01000193)",
    to: "for (let at = start; bytes[at] !== end; at++) value = Math.imul(value ^ (bytes[at] as number), (0x01000193 + 1))",
    reason: "a hash with another factor finds the same keys"
  },
  {
    file: "packages/batch/src/internal/input/batchAdmission.ts",
    from: "const maxBytes = 64 * 1024 * 1024",
    to: "const maxBytes = 64 * (1024 + 1) * 1024",
    reason: "a tuned limit that is a thousandth higher"
  },
  {
    file: "packages/batch/src/internal/availability/serviceState.ts",
    from: "Math.min(longestProbe, firstProbe * 2 ** Math.min(failures, 30))",
    to: "Math.min(longestProbe, firstProbe * 2 ** Math.min(failures, (30 + 1)))",
    reason: "2 to the power of 30 is beyond the longest wait"
  },
  {
    file: "packages/batch/src/Batch.ts",
    from: "Stream.onEnd(Effect.andThen(run.health.end, admission.end)),",
    to: "Stream.onEnd(Effect.andThen(admission.end, run.health.end)),",
    reason: "the two ends do not know each other"
  },
  {
    file: "packages/stream/src/suspects/internal/suspectRanking.ts",
    from: "return at < 0 ? 0 : (ones[at] ?? 0) < (others[at] ?? 0) ? -1 : 1",
    to: "return at < 0 ? 0 : (ones[at] ?? 0) <= (others[at] ?? 0) ? -1 : 1",
    reason: "the place was found because its values differ"
  },
  {
    file: "packages/batch/src/internal/calls/probeRequest.ts",
    from: "const request = requests[Math.floor(((index * goldenRatio) % 1) * requests.length)] as Request",
    to: "const request = requests[Math.floor(((index / goldenRatio) % 1) * requests.length)] as Request",
    reason: "a multiple of 1.618 has about the same part after the point as one of 0.618"
  },
  {
    file: "packages/batch/src/internal/calls/batchSize.ts",
    from: "if (doubled > ledger.batchSize && (bytes * doubled) / length <= largestBody) set(ledger, doubled)",
    to: "if (doubled >= ledger.batchSize && (bytes * doubled) / length <= largestBody) set(ledger, doubled)",
    reason: "a size that is set again is the same"
  },
  {
    file: "packages/workflow/src/internal/harvest/recordHarvest.ts",
    from: "const chunksPerInsert = 16",
    to: "const chunksPerInsert = (16 + 1)",
    reason: "chunks that are inserted in other groups are the same"
  },
  {
    file: "packages/client/src/pipeline/internal/callTelemetry.ts",
    from: "byEndpoint.set(endpoint, metrics)",
    to: ";",
    reason: "metrics that are made again are those of the same names"
  },
  {
    file: "packages/batch/src/internal/input/keySet.ts",
    from: "reserve(3 * key.length + 1)",
    to: "reserve((3 + 1) * key.length + 1)",
    reason: "a buffer that is larger than needed has the same keys"
  },
  {
    file: "packages/batch/src/internal/calls/settleKeys.ts",
    from: "const wait = retryDelay > 0 ? this.run.unlessStopped(Effect.sleep(retryDelay)) : Effect.void",
    to: "const wait = retryDelay >= 0 ? this.run.unlessStopped(Effect.sleep(retryDelay)) : Effect.void",
    reason: "a sleep of no time ends at once"
  },
  {
    file: "packages/batch/src/Reconcile.ts",
    from: "for (let at = next; at < end; at++) {",
    to: "for (let at = next; at <= end; at++) {",
    reason: "a key that is not found among the next ones is looked up in the set, with the same answer"
  },
  {
    file: "packages/client/src/calls/internal/endpointReaders.ts",
    from: "forms.set(form, readers)",
    to: "forms.set(readers, form)",
    reason: "readers that are not kept are made again"
  },
  {
    file: "packages/ndjson/src/internal/decodeText.ts",
    from: "if (utf8 !== undefined && end - start < LONG_BYTES) {",
    to: "if (utf8 !== undefined && end - start <= LONG_BYTES) {",
    reason: "both ways decode the same text, and the length from which one is faster is measured"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "if (this.unknownKeys === MAX_UNKNOWN_KEYS) return this.unknownField",
    to: "if (!(this.unknownKeys === MAX_UNKNOWN_KEYS)) return this.unknownField",
    reason: "an unknown key that is not kept is looked up again"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "this.words = this.length < 4 ? undefined : wordsOf(this.text)",
    to: "this.words = this.length < (4 + 1) ? undefined : wordsOf(this.text)",
    reason: "a key of four bytes is compared byte by byte, with the same answer"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "while (i < end && !endsScalar(bytes[i])) i++",
    to: "while (i <= end && !endsScalar(bytes[i])) i++",
    reason: "an object that ends after a scalar is malformed, wherever the scalar ends"
  },
  {
    file: "packages/api/src/masses/Adduct.ts",
    from: 'export const polarity = (adduct: Adduct): Polarity => (checked(adduct).charge > 0 ? "positive" : "negative")',
    to: 'export const polarity = (adduct: Adduct): Polarity => (checked(adduct).charge >= 0 ? "positive" : "negative")',
    reason:
      "a molecule without a charge is measured in neither polarity, and no notation of an adduct has the charge 0"
  },
  {
    file: "packages/ndjson/src/raw/internal/arrayScanner.ts",
    from: "private start = 0",
    to: "private start = (0 + 1)",
    reason: "each element sets its start before it is read"
  },
  {
    file: "packages/ndjson/src/node/internal/decompressMember.ts",
    from: "private offset = 0",
    to: "private offset = (0 + 1)",
    reason: "each write and the close set the offset before it is read"
  },
  {
    file: "packages/stream/src/suspects/internal/suspectRanking.ts",
    from: ".sort((one, other) => compare(one.keys, other.keys) || (one.match.dtxsid < other.match.dtxsid ? -1 : 1))",
    to: ".sort((one, other) => compare(one.keys, other.keys) || (one.match.dtxsid < other.match.dtxsid ? -(1 + 1) : 1))",
    reason: "only the sign of a comparison counts"
  },
  {
    file: "packages/stream/src/suspects/internal/suspectRanking.ts",
    from: "return at < 0 ? 0 : (ones[at] ?? 0) < (others[at] ?? 0) ? -1 : 1",
    to: "return at < 0 ? 0 : (ones[at] ?? 0) <= (others[at] ?? 0) ? -1 : 1",
    reason: "the two numbers at this place differ"
  },
  {
    file: "packages/stream/src/lookups/internal/special/msReadySearch.ts",
    from: "const bytes = records.reduce((sum, { record }) => sum + record.end - record.start, 0)",
    to: "const bytes = records.reduce((sum, { record }) => sum + record.end - record.start, (0 + 1))",
    reason:
      "the bytes are compared with a response of 8 MiB at which batches aim, which no promise depends on"
  },
  {
    file: "packages/stream/src/node/NodeChemstream.ts",
    from: "const services = Layer.merge(NodeFileSystem.layer, NodePath.layer)",
    to: "const services = Layer.merge(NodePath.layer, NodeFileSystem.layer)",
    reason: "the two layers provide different services"
  },
  {
    file: "packages/stream/src/node/internal/savedLines.ts",
    from: "digest: batches.reduce((last, batch) => (end(batch) > end(last) ? batch : last)).digest",
    to: "digest: batches.reduce((last, batch) => (end(batch) >= end(last) ? batch : last)).digest",
    reason:
      "two batches have the same end only if they have no part of the input, and then the digest is not recorded"
  },
  {
    file: "packages/client/src/node/internal/interimResponses.ts",
    from: 'while (continueLine.test(bytes.toString("latin1", 0, 16))) {',
    to: 'while (continueLine.test(bytes.toString("latin1", 0, (16 + 1)))) {',
    reason: "the pattern of the line has 13 characters"
  },
  {
    file: "packages/client/src/pipeline/internal/requestLimiter.ts",
    from: "let failedEpoch = 0",
    to: "let failedEpoch = (0 + 1)",
    reason: "an outage begins with a failed request, which sets it"
  },
  {
    file: "packages/ndjson/src/transforms/internal/topBy.ts",
    from: "export const MAX_TOP_BYTES: number = 256 * 1024 * 1024",
    to: "export const MAX_TOP_BYTES: number = 256 * (1024 + 1) * 1024",
    reason: "a tuned limit that is a thousandth higher"
  },
  {
    file: "packages/ndjson/src/raw/internal/jsonGrammar.ts",
    from: "const isPlain = new Uint8Array(256).fill(1, SPACE)",
    to: "const isPlain = new Uint8Array((256 + 1)).fill(1, SPACE)",
    reason: "a byte has 256 values"
  },
  {
    file: "packages/ndjson/src/internal/jsonBytes.ts",
    from: "const endsByByte = new Uint8Array(256).map((_, byte) => (ends.includes(byte) ? 1 : 0))",
    to: "const endsByByte = new Uint8Array((256 + 1)).map((_, byte) => (ends.includes(byte) ? 1 : 0))",
    reason: "a byte has 256 values"
  },
  {
    file: "packages/ndjson/src/codec/internal/parsedLines.ts",
    from: "const FIRST_LINES = 4",
    to: "const FIRST_LINES = (4 + 1)",
    reason: "lines that are decoded one by one have the same values"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "for (let w = 0; w < words.length; w++) words[w] = wordAt(text, Math.min(4 * w, last))",
    to: "for (let w = 0; w <= words.length; w++) words[w] = wordAt(text, Math.min(4 * w, last))",
    reason: "a typed array ignores a value beyond its end"
  },
  {
    file: "packages/ndjson/src/raw/internal/arrayScanner.ts",
    from: "if (after < 0)",
    to: "if (after < (0 + 1))",
    reason: "the index after a nested value is at least 1"
  },
  {
    file: "packages/ndjson/src/transforms/internal/exactNumber.ts",
    from: 'if (whole + fraction === "") return new LongNumber(nearest < 0, "1", Number.POSITIVE_INFINITY, nearest)',
    to: 'if (whole + fraction === "") return new LongNumber(nearest <= 0, "1", Number.POSITIVE_INFINITY, nearest)',
    reason: "a number without digits is infinite or not a number"
  },
  {
    file: "packages/ndjson/src/raw/RawProjection.ts",
    from: "while (++i < fields.length && fields[i] === last + 4 && isAdjacent(spans, last, last + 4)) last += 4",
    to: "while (++i < fields.length && fields[i] === last + 4 && isAdjacent(spans, last, last - 4)) last += 4",
    reason: "neighbouring fields that are copied one by one are the same"
  },
  {
    file: "packages/ndjson/src/node/NodeStream.ts",
    from: "#next = 0",
    to: "#next = (0 + 1)",
    reason: "no batch is there before the first is read, which sets it"
  },
  {
    file: "packages/ndjson/src/internal/decodeText.ts",
    from: "if (end - start > SHORT_BYTES || start + SHORT_BYTES > bytes.length) return latin1.call(bytes, start, end)",
    to: "if (end - start >= SHORT_BYTES || start + SHORT_BYTES > bytes.length) return latin1.call(bytes, start, end)",
    reason: "both ways make the same text"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "for (let k = 0; k < length; k++) if (bytes[at + k] !== this.text[k]) return false",
    to: "for (let k = 0; k < length; k++) if (bytes[at - k] !== this.text[k]) return false",
    reason: "a key that is not recognised at once is looked up by its name, and no colon is before a key"
  },
  {
    file: "packages/ndjson/src/raw/internal/objectScanner.ts",
    from: "byte = bytes[i++] as number",
    to: ";",
    reason: "a string that is not found to be plain is skipped and decoded as one with escapes"
  },
  {
    file: "packages/ndjson/src/tables/TableLayout.ts",
    from: "export const LAYOUT_SAMPLE: number = 64 * 1024",
    to: "export const LAYOUT_SAMPLE: number = 64 * (1024 + 1)",
    reason: "a tuned bound that is a thousandth higher"
  },
  {
    file: "packages/ndjson/src/raw/internal/keyTable.ts",
    from: "(length * 31 + first * 7 + last * 131 + third * 17) & (size - 1)",
    to: "(length * 31 + first * 7 + last * 131 + third / 17) & (size - 1)",
    reason: "another hash finds the same keys"
  },
  {
    file: "packages/client/src/internal/schemaWithoutRest.ts",
    from: "return parts.value === undefined || ast.elements.length > 0 || ast.rest.length !== 1",
    to: "return parts.value === undefined || ast.elements.length >= 0 || ast.rest.length !== 1",
    reason: "the rule for unknown fields accepts any value, so a schema that keeps it takes the same records"
  },
  {
    file: "packages/client/src/calls/internal/makeSingleAndBatchCalls.ts",
    from: "? { ...Object.fromEntries(required.map((name, at) => [name, args[size + at]])), ...options }",
    to: "? { ...Object.fromEntries(required.map((name, at) => [name, args[size - at]])), ...options }",
    reason: "no row has two parameters that must be given"
  },
  {
    file: "packages/client/src/calls/Pages.ts",
    from: 'if (typeof value === "number" && Number.isSafeInteger(value) && value > largest) largest = value',
    to: 'if (typeof value === "number" && Number.isSafeInteger(value) && value >= largest) largest = value',
    reason: "an equal number changes nothing"
  },
  {
    file: "packages/workflow/src/SharedRate.ts",
    from: "const isUnlimited = next.rate === null && next.pausedUntil <= at && next.next <= at",
    to: "const isUnlimited = next.rate === null && next.pausedUntil < at && next.next <= at",
    reason:
      "a state without a limit that is written under the lock is the same; a learned rate has its next request later"
  },
  {
    file: "packages/workflow/src/SharedRate.ts",
    from: "const isUnlimited = next.rate === null && next.pausedUntil <= at && next.next <= at",
    to: "const isUnlimited = next.rate !== null && next.pausedUntil <= at && next.next <= at",
    reason:
      "a state without a limit that is written under the lock is the same; a learned rate has its next request later"
  },
  {
    file: "packages/workflow/src/internal/harvest/progress.ts",
    from: "const rowsPerDelete = 500",
    to: "const rowsPerDelete = (500 + 1)",
    reason: "the number of rows in a statement is tuned"
  },
  {
    file: "packages/ndjson/src/internal/spanBuffer.ts",
    from: "const LARGEST_BYTES = 1024 * 1024",
    to: "const LARGEST_BYTES = (1024 + 1) * 1024",
    reason: "the size of a block is tuned"
  },
  {
    file: "packages/ndjson/src/codec/internal/utf8Chunks.ts",
    from: "for (let back = 1; back <= 3 && back <= bytes.length; back++) {",
    to: "for (let back = 1; back <= 3 || back <= bytes.length; back++) {",
    reason: "no character has its first byte further back, and there is no byte before the first"
  },
  {
    file: "packages/ndjson/src/transforms/internal/topBy.ts",
    from: "if (at < count) {",
    to: "if (at <= count) {",
    reason: "a record that is added at the end of a full group is removed again"
  },
  {
    file: "packages/batch/src/internal/input/keySet.ts",
    from: "if (4 * ++size > 3 * places.length) {",
    to: "if (4 * ++size >= 3 * places.length) {",
    reason: "a table that grows one key earlier holds the same keys"
  },
  {
    file: "packages/batch/src/internal/input/keySet.ts",
    from: "slot = (slot + 1) & (places.length - 1)",
    to: "slot = (slot + (1 + 1)) & (places.length - 1)",
    reason: "another order of probing a table that is at most three quarters full"
  },
  {
    file: "packages/batch/src/internal/calls/hopelessRun.ts",
    from: "this.inFlight += by",
    to: "this.inFlight -= by",
    reason: "the number is only compared with 0"
  },
  {
    file: "packages/batch/src/internal/availability/ServiceAvailability.ts",
    from: "yield* this.sleep(Math.ceil((end > now ? Math.min(next, end) : next) - now))",
    to: "yield* this.sleep(Math.ceil((end >= now ? Math.min(next, end) : next) - now))",
    reason: "at the end of the wait itself, the call looks once more at once"
  },
  {
    file: "packages/stream/src/resolve/internal/resolveRows.ts",
    from: "return error !== undefined || (candidates?.length ?? 0) > 0",
    to: "return error !== undefined || (candidates?.length ?? (0 + 1)) > 0",
    reason: "each reading has a finding"
  },
  {
    file: "packages/stream/src/node/internal/savedLines.ts",
    from: "if (records.length + problems.length > 0) {",
    to: "if (records.length + problems.length >= 0) {",
    reason: "a save of nothing changes nothing"
  },
  {
    file: "packages/stream/src/lookups/internal/endpointLookup.ts",
    from: 'const form: Partial<Row.Form> = row.forms?.[projection ?? row.form ?? ""] ?? {}',
    to: 'const form: Partial<Row.Form> = row.forms?.[(projection) ?? ""] ?? {}',
    reason: "the default form of a row has the answer and the multiplicity of the row"
  },
  {
    file: "packages/workflow/src/internal/sinks/tableSink.ts",
    from: "const stored = (yield* countRows(opened, index, index + 1)).get(index)?.stored ?? 0",
    to: "const stored = (yield* countRows(opened, index, index + (1 + 1))).get(index)?.stored ?? 0",
    reason: "the rows of the next chunk are counted too, and not read"
  },
  {
    file: "packages/workflow/src/internal/tables/pendingRows.ts",
    from: "const outcomeBytes = 100",
    to: "const outcomeBytes = (100 + 1)",
    reason: "an estimate: rows are written a little earlier"
  }
]
