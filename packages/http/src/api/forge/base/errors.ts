import { Schema } from "effect"

const body = {
  message: Schema.String,
  url: Schema.String.annotate({ description: "The address of the reference." })
}

/** 401: the credentials are missing or not valid. */
export class UnauthorizedBody extends Schema.Error<UnauthorizedBody>("UnauthorizedBody")(
  { _tag: Schema.tagDefaultOmit("UnauthorizedBody"), ...body },
  { httpApiStatus: 401, description: "The credentials are missing or invalid." }
) {}

/** 403: the caller has no permission to do this. */
export class ForbiddenBody extends Schema.Error<ForbiddenBody>("ForbiddenBody")(
  { _tag: Schema.tagDefaultOmit("ForbiddenBody"), ...body },
  { httpApiStatus: 403, description: "The caller has no permission." }
) {}

/** 404: the resource of the path is missing or hidden from the caller. */
export class NotFoundBody extends Schema.Error<NotFoundBody>("NotFoundBody")(
  { _tag: Schema.tagDefaultOmit("NotFoundBody"), ...body },
  { httpApiStatus: 404, description: "The resource in the path is missing or hidden from the caller." }
) {}

/** 405: the pull request can't be merged now, or not with this merge method. */
export class NotMergeableBody extends Schema.Error<NotMergeableBody>("NotMergeableBody")(
  { _tag: Schema.tagDefaultOmit("NotMergeableBody"), ...body },
  { httpApiStatus: 405, description: "The pull request can't be merged this way, or not yet." }
) {}

/** 409: the current state of the resource doesn't allow the request. */
export class ConflictBody extends Schema.Error<ConflictBody>("ConflictBody")(
  { _tag: Schema.tagDefaultOmit("ConflictBody"), ...body },
  { httpApiStatus: 409, description: "The current state of the resource doesn't allow it." }
) {}

/** 412: a precondition isn't met. */
export class PreconditionFailedBody extends Schema.Error<PreconditionFailedBody>("PreconditionFailedBody")(
  { _tag: Schema.tagDefaultOmit("PreconditionFailedBody"), ...body },
  { httpApiStatus: 412, description: "A precondition isn't met." }
) {}

/** 413: the body is larger than the limit. */
export class TooLargeBody extends Schema.Error<TooLargeBody>("TooLargeBody")(
  { _tag: Schema.tagDefaultOmit("TooLargeBody"), ...body },
  { httpApiStatus: 413, description: "The body exceeds the size limit." }
) {}

/** 422: the request is invalid; `message` names every invalid field in brackets, with its problem. */
export class InvalidBody extends Schema.Error<InvalidBody>("InvalidBody")(
  { _tag: Schema.tagDefaultOmit("InvalidBody"), ...body },
  { httpApiStatus: 422, description: "The request is invalid; the message names every invalid field in brackets." }
) {}

/** 423: the resource in the path can't be changed now. */
export class LockedBody extends Schema.Error<LockedBody>("LockedBody")(
  { _tag: Schema.tagDefaultOmit("LockedBody"), ...body },
  { httpApiStatus: 423, description: "The resource in the path can't be changed now." }
) {}

/** 429: too many failed sign-ins. */
export class SlowedBody extends Schema.Error<SlowedBody>("SlowedBody")(
  { _tag: Schema.tagDefaultOmit("SlowedBody"), ...body },
  { httpApiStatus: 429, description: "Too many failed sign-ins; `Retry-After` says when to retry." }
) {}

/** 431: the request headers are larger than the limit. */
export class HeadTooLargeBody extends Schema.Error<HeadTooLargeBody>("HeadTooLargeBody")(
  { _tag: Schema.tagDefaultOmit("HeadTooLargeBody"), ...body },
  { httpApiStatus: 431, description: "The head of the request exceeds the size limit." }
) {}

/** 500: the request can't be processed; only for cases in which the specification requires this status. */
export class ServerErrorBody extends Schema.Error<ServerErrorBody>("ServerErrorBody")(
  { _tag: Schema.tagDefaultOmit("ServerErrorBody"), ...body },
  { httpApiStatus: 500, description: "The request can't be processed." }
) {}

/** 500: a search failed; the body has the format of search responses. */
export const SearchFailedBody = Schema.Struct({ ok: Schema.Literal(false), error: Schema.String }).annotate({
  identifier: "SearchFailedBody",
  httpApiStatus: 500
})

/** 501: the service doesn't implement the requested function. */
export class NotImplementedBody extends Schema.Error<NotImplementedBody>("NotImplementedBody")(
  { _tag: Schema.tagDefaultOmit("NotImplementedBody"), ...body },
  { httpApiStatus: 501, description: "The service doesn't implement this." }
) {}

/** 503: too many read requests run concurrently. */
export class UnavailableBody extends Schema.Error<UnavailableBody>("UnavailableBody")(
  { _tag: Schema.tagDefaultOmit("UnavailableBody"), ...body },
  { httpApiStatus: 503, description: "Too many requests are being read; `Retry-After` says when to retry." }
) {}

/** The errors that every endpoint can return before its handler runs. */
export const guardErrors = [
  UnauthorizedBody,
  ForbiddenBody,
  NotFoundBody,
  LockedBody,
  SlowedBody,
  HeadTooLargeBody
] as const

/** The errors of an endpoint for invalid input. */
export const inputErrors = [InvalidBody, TooLargeBody] as const
