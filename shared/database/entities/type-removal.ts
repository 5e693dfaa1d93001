import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import type { TransactAction } from '../transactions.ts';
import {
  type NotificationTypes,
  notificationTypes,
  type StoredType,
  type TemplateEntry,
} from './notification-types.ts';
import { AGAIN, untilSettled } from './settle.ts';
import { contentRemoval, typeRemoval, typeWrite } from './template-writes.ts';

/** DynamoDB's most actions in one transaction. */
const ACTIONS_MAX = 100;

/** Deletes notification types. */
export type TypeRemovals = {
  /**
   * Deletes the type with its templates and their references to components; false if the type does not exist.
   * A type that needs more than one transaction loses its last templates first and can be deleted again after
   * an interruption.
   */
  delete(environmentId: string, notificationId: string): Promise<boolean>;
};

function createTypeRemovals(table: Database, types: NotificationTypes): TypeRemovals {
  return {
    async delete(environmentId, notificationId) {
      let isFound = false;
      let isGone = false;
      while (!isGone) {
        isGone = await untilSettled(async () => {
          const type = await types.find(environmentId, notificationId);
          if (!type) return true;
          isFound = true;
          const { writes, rest } = removalOf(environmentId, type);
          const typeAction =
            rest.length > 0
              ? typeWrite(environmentId, { ...type, templates: rest })
              : typeRemoval(environmentId, type);
          const outcome = await table.transact([typeAction, ...writes]);
          return outcome.written ? rest.length === 0 : AGAIN;
        });
      }
      return isFound;
    },
  };
}

/** The writes that remove as many templates as fit into one transaction with the type, and the templates left. */
function removalOf(environmentId: string, type: StoredType) {
  const owner = { environmentId, notificationId: type.notificationId };
  const rest: TemplateEntry[] = [...type.templates];
  const writes: TransactAction[] = [];
  for (let entry = rest.at(-1); entry; entry = rest.at(-1)) {
    const removal = contentRemoval(owner, entry);
    if (writes.length + removal.length >= ACTIONS_MAX) break;
    writes.push(...removal);
    rest.pop();
  }
  return { writes, rest };
}

export const typeRemovals = dependency('typeRemovals', () =>
  createTypeRemovals(resolve(database), resolve(notificationTypes)),
);
