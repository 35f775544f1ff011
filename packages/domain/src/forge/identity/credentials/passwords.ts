import { Schema } from "effect"
import { newPasswordProblem, passwordTextProblem } from "../../../sign-in/passwords.ts"
import { isTokenText } from "./AccessToken.ts"

const tokenProblem = (password: string): string | undefined =>
  isTokenText(password) ? "must not have the form of an access token" : undefined

/** Returns why a text cannot be a password, or undefined. */
export const passwordFormProblem = (password: string): string | undefined =>
  passwordTextProblem(password) ?? tokenProblem(password)

/** Returns the problem of a new password's form, or undefined. */
export const passwordProblem = (password: string): string | undefined =>
  newPasswordProblem(password) ?? tokenProblem(password)

/** A new password in a request. */
export const NewPassword = Schema.String.check(Schema.makeFilter((text: string) => passwordProblem(text)))
