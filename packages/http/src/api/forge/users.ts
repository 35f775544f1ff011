import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { NotFoundBody } from "./errors.ts"
import { pageQuery, QueryNumber, User, userParams } from "./schemas.ts"

/** The endpoints of users. */
export class UsersApi extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("search", "/users/search", {
      query: {
        q: Schema.optionalKey(Schema.String),
        uid: Schema.optionalKey(QueryNumber),
        ...pageQuery
      },
      success: Schema.Struct({ ok: Schema.Boolean, data: Schema.Array(User) })
    })
      .annotate(OpenApi.Summary, "Find users by a part of their name or full name")
      .pipe(access("user.search")),
    HttpApiEndpoint.get("read", "/users/:username", { params: userParams, success: User })
      .annotate(OpenApi.Summary, "Read a user")
      .pipe(access("user.read")),
    HttpApiEndpoint.get("followers", "/users/:username/followers", {
      params: userParams,
      query: pageQuery,
      success: Schema.Array(User)
    })
      .annotate(OpenApi.Summary, "List who follows a user")
      .pipe(access("user.follower.list")),
    HttpApiEndpoint.get("following", "/users/:username/following", {
      params: userParams,
      query: pageQuery,
      success: Schema.Array(User)
    })
      .annotate(OpenApi.Summary, "List whom a user follows")
      .pipe(access("user.following.list")),
    HttpApiEndpoint.get("follows", "/users/:username/following/:target", {
      params: { ...userParams, target: Schema.String },
      success: HttpApiSchema.NoContent,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Tell whether a user follows another")
      .pipe(access("user.following.check"))
  )
  .annotate(OpenApi.Description, "Users, as others see them.") {}
