import '../../shared/schemas/account/account.texts.ts';
import '../../shared/schemas/domains/domains.texts.ts';
import '../../shared/schemas/content/content.texts.ts';
import '../../shared/schemas/sending/sending.texts.ts';
import '../../shared/schemas/fields/error.texts.ts';
import '../../shared/schemas/users/users.texts.ts';
import '../../shared/schemas/logs/logs.texts.ts';
import '../../shared/schemas/delivery/delivery.texts.ts';
import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { UserChange } from '../../shared/schemas/users/user.ts';
import { ROUTES } from '../routes.ts';
import { NewUser } from '../users/routes.ts';
import { ROUTE_TEXTS } from './routes.texts.ts';

for (const [id, texts] of Object.entries(ROUTE_TEXTS)) {
  const row = ROUTES.find((each) => each.id === id);
  const response = row?.response.kind === 'json' ? row.response.body : undefined;
  for (const [schema, fields] of [
    [row?.pathParameters, texts.path],
    [row?.query, texts.query],
    [row?.body, texts.body],
    [response, texts.response],
  ] as const) {
    if (fields && !schema) throw new Error(`${id} has no such part as its texts describe`);
    if (fields && schema) describeFields(schema, fields);
  }
}
describeFields(NewUser, { id: 'The ID of the user.' }, UserChange);
