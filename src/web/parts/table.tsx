/** Rows with columns; on narrow screens each row is a card. */
import type { ComponentChildren } from 'preact'

export type Column<A> = {
  readonly title: string
  readonly cell: (row: A) => ComponentChildren
  /** Hidden visually, but read out: the header of a column of buttons. */
  readonly isQuiet?: boolean
  /** Does not wrap. */
  readonly isShort?: boolean
  /** Has a line of its own on narrow screens. */
  readonly isLong?: boolean
}

type Props<A> = {
  readonly caption: string
  readonly rows: ReadonlyArray<A>
  readonly keyOf: (row: A) => string
  /** The first column identifies the row. */
  readonly columns: ReadonlyArray<Column<A>>
}

export const Table = <A,>({ caption, columns, keyOf, rows }: Props<A>) => (
  <table>
    <caption class="hidden">{caption}</caption>
    <thead>
      <tr>
        {columns.map(({ isQuiet = false, title }) => (
          <th scope="col" key={title}>
            {isQuiet ? <span class="hidden">{title}</span> : title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map(({ cell, isLong = false, isQuiet = false, isShort = false, title }, index) =>
            index === 0 ? (
              <th scope="row" key={title}>
                {cell(row)}
              </th>
            ) : (
              <td
                key={title}
                data-title={isQuiet ? undefined : title}
                class={isQuiet ? 'actions' : isShort ? 'short' : isLong ? 'long' : undefined}
              >
                <div>{cell(row)}</div>
              </td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
)
