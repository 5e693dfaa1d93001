import * as v from 'valibot';
import { contactProblems } from '../../shared/http/contact.ts';
import { UserChange } from '../../shared/schemas/user.ts';

/**
 * Body of POST /users/{userId}. For a body with invalid fields, impossible ones are added, so that all are
 * reported together.
 */
export const UserBody = v.pipe(
  UserChange,
  v.rawCheck(({ dataset, addIssue }) => {
    const body: unknown = dataset.value;
    if (!dataset.issues || typeof body !== 'object' || body === null) return;
    const fields: Record<string, unknown> = { ...body };
    for (const { name, must } of contactProblems(fields)) {
      const path = {
        type: 'object',
        origin: 'value',
        input: fields,
        key: name,
        value: fields[name],
      } as const;
      addIssue({ message: must, path: [path] });
    }
  }),
);
