/** The error answer of a service: its status, and the body as the service wrote it. */
export class ServiceError<Status extends number = number, Body = unknown> extends Error {
  override readonly name = "ServiceError"
  readonly status: Status
  readonly body: Body

  constructor(status: Status, body: Body) {
    const said = (body as { readonly message?: unknown } | undefined)?.message
    super(typeof said === "string" ? said : `the service answered ${status}`)
    this.status = status
    this.body = body
  }
}

/** A call without an answer, or an aborted call; `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError"
  readonly status = undefined
}
