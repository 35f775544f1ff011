import { type Context, type Exit, Option, Tracer } from "effect"

type Options = Parameters<Tracer.Tracer["span"]>[0]

/** The prefix of span attributes that are dropped: paths and queries can contain secrets, such as tokens of emails. */
const hidden = "url."

/** Receives spans when they begin and end. */
export interface Observer {
  readonly began: (span: ObservedSpan) => void
  readonly ended: (span: ObservedSpan, exit: Exit.Exit<unknown, unknown>) => void
}

/** A span that notifies an observer at its end, and is also passed to another tracer for export. */
export class ObservedSpan implements Tracer.Span {
  readonly _tag = "Span"
  // Spans that are not kept are measured as well.
  readonly sampled = true
  readonly parent: Option.Option<Tracer.AnySpan>
  /** The root of this span's trace, such as a request or a job. */
  readonly root: ObservedSpan
  /** The number of SQL statements within this span; only counted for root spans. */
  statements = 0
  readonly #sent: Tracer.Span
  readonly #observer: Observer

  constructor(tracer: Tracer.Tracer, options: Options, observer: Observer) {
    const over = Option.getOrUndefined(options.parent)
    const parent = over instanceof ObservedSpan ? over : undefined
    this.parent = options.parent
    this.root = parent === undefined || options.root ? this : parent.root
    this.#observer = observer
    this.#sent = tracer.span(
      parent === undefined ? options : { ...options, parent: Option.some(parent.#sent), sampled: parent.#sent.sampled }
    )
    observer.began(this)
  }

  get name(): string {
    return this.#sent.name
  }
  get spanId(): string {
    return this.#sent.spanId
  }
  get traceId(): string {
    return this.#sent.traceId
  }
  get annotations(): Context.Context<never> {
    return this.#sent.annotations
  }
  get status(): Tracer.SpanStatus {
    return this.#sent.status
  }
  get attributes(): ReadonlyMap<string, unknown> {
    return this.#sent.attributes
  }
  get links(): ReadonlyArray<Tracer.SpanLink> {
    return this.#sent.links
  }
  get kind(): Tracer.SpanKind {
    return this.#sent.kind
  }

  attribute(key: string, value: unknown): void {
    if (!key.startsWith(hidden)) this.#sent.attribute(key, value)
  }

  event(name: string, startTime: bigint, attributes?: Record<string, unknown>): void {
    this.#sent.event(name, startTime, attributes)
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.#sent.addLinks(links)
  }

  /** Returns an attribute of the span as text; undefined if it is missing. */
  said(name: string): string | undefined {
    const value = this.attributes.get(name)
    return value === undefined ? undefined : String(value)
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    const route = this.said("http.route")
    // BOUNDARY: a request gets its route only after its span has a name.
    if (route !== undefined) (this.#sent as { name: string }).name = `${this.name} ${route}`
    this.#sent.end(endTime, exit)
    this.#observer.ended(this, exit)
  }
}

/** Makes a tracer that notifies an observer and passes spans to another tracer. */
export const observingTracer = (tracer: Tracer.Tracer, observer: Observer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => new ObservedSpan(tracer, options, observer),
    ...(tracer.context === undefined ? {} : { context: tracer.context })
  })
