/** Routes by which administrators manage users. */
import * as t from 'io-ts'
import { keys } from '../../print/document.ts'
import { route } from './route.ts'
import { UserId } from './values.ts'

const path = '/api/v1/users'

const user = { user: [UserId, 'id of the user'] } as const

const ListedUser = keys({
  id: [UserId, 'id of the user'],
  email: [t.string, 'e-mail address'],
  isAdmin: [t.boolean, 'whether the user administers the platform'],
  isDisabled: [t.boolean, 'whether the user may not log in'],
})

export const userRoutes = {
  listUsers: route({
    method: 'GET',
    path,
    may: 'admin',
    about: 'All who have logged in',
    answer: keys({ users: [t.readonlyArray(ListedUser), 'by e-mail address'] }),
  }),
  setUser: route({
    method: 'PUT',
    path: `${path}/{user}`,
    may: 'admin',
    about: 'Change what a user may do; disabling a user revokes all tokens of the user',
    params: keys(user),
    body: keys(
      {},
      {
        isAdmin: [t.boolean, 'whether the user administers the platform'],
        isDisabled: [t.boolean, 'whether the user may not log in'],
      },
    ),
    answer: ListedUser,
  }),
  revokeUser: route({
    method: 'DELETE',
    path: `${path}/{user}/tokens`,
    may: 'admin',
    about: 'Revoke all tokens of a user, and end all sessions in browsers',
    params: keys(user),
  }),
  deleteUser: route({
    method: 'DELETE',
    path: `${path}/{user}`,
    may: 'admin',
    about: 'Delete a user, with all tokens and roles of the user',
    params: keys(user),
  }),
} as const
