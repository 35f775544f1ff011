/** Says that a service answered with an error: its status, and the body as the service wrote it. */
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

/** Says that no answer came, or that the call was given up; `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError"
  readonly status = undefined
}
