/** Names of the platform's objects in the cluster. */
import { sha256 } from '../text/sha256.ts'

/** The platform's own programs, settings and keys. */
export const SYSTEM_NAMESPACE = 'devtool-system'
/** A ServiceAccount for each user, and the Secrets of their tokens. */
export const USERS_NAMESPACE = 'devtool-users'
/** A ServiceAccount for each API token with a scope: what holds for all users must not hold for these. */
export const SCOPED_NAMESPACE = 'devtool-scoped'
/** The build service; it holds no objects of tenants. */
export const BUILDER_NAMESPACE = 'devtool-builder'
/** The role there that reaches its pods. */
export const BUILDER_ROLE = 'devtool-users'

/**
 * The ServiceAccount of a person, named after a hash of issuer and subject: the same person always gets the same
 * account, and nobody else can.
 */
export const userIdOf = (issuer: string, subject: string): string => `u-${sha256(`${issuer}\0${subject}`).slice(0, 32)}`

export const isUserId = (text: string): boolean => /^u-[0-9a-f]{32}$/.test(text)

/** The name of the user in RBAC. */
export const accountOf = (user: string): string => `system:serviceaccount:${USERS_NAMESPACE}:${user}`

/** The group of all users. */
export const USERS_GROUP = `system:serviceaccounts:${USERS_NAMESPACE}`
/** The group of all API tokens with a scope. */
export const SCOPED_GROUP = `system:serviceaccounts:${SCOPED_NAMESPACE}`

/** The Secret that holds the hash of a token. */
export const tokenSecretOf = (id: string): string => `tok-${id}`

/** The ServiceAccount of an API token with a scope. */
export const scopedNameOf = (user: string, token: string): string => `${user}-${token}`
