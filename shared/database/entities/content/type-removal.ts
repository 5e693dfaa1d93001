import { dependency, resolve } from '../../../runtime/dependency.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { assertExpected } from '../../items/edition.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import {
  editedPart,
  type NotificationTypes,
  notificationTypes,
  type StoredType,
  type TemplateEntry,
} from './notification-types.ts';
import { versionRemoval } from './template-versions.ts';
import { contentRemoval, typeRemoval, typeWrite } from './template-writes.ts';

/** DynamoDB's most actions in one transaction. */
const ACTIONS_MAX = 100;

function createTypeRemovals(table: Database, types: NotificationTypes) {
  return {
    /**
     * Deletes the type with its templates and their references to components; false if the type does not exist.
     * A type that needs more than one transaction loses its last templates first and can be deleted again after
     * an interruption.
     */
    async delete(environmentId: string, notificationId: string): Promise<boolean> {
      let isFound = false;
      let isGone = false;
      while (!isGone) {
        isGone = await untilSettled(async () => {
          const type = await types.find(environmentId, notificationId);
          if (!type) return true;
          if (!isFound) assertExpected('type', editedPart(type));
          isFound = true;
          const { writes, rest } = await removalOf(table, environmentId, type);
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
async function removalOf(table: Database, environmentId: string, type: StoredType) {
  const owner = { environmentId, notificationId: type.notificationId };
  const rest: TemplateEntry[] = [...type.templates];
  const writes: TransactAction[] = [];
  for (let entry = rest.at(-1); entry; entry = rest.at(-1)) {
    const versions = await versionRemoval(table, { ...owner, channel: entry.channel }, entry);
    const removal = [...contentRemoval(owner, entry), ...versions];
    if (writes.length + removal.length >= ACTIONS_MAX) break;
    writes.push(...removal);
    rest.pop();
  }
  return { writes, rest };
}

export const typeRemovals = dependency('typeRemovals', () =>
  createTypeRemovals(resolve(database), resolve(notificationTypes)),
);
