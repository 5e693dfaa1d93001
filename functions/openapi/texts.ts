import '../../shared/schemas/account/account.texts.ts';
import '../../shared/schemas/domains/address.texts.ts';
import '../../shared/schemas/account/api-key.texts.ts';
import '../../shared/schemas/content/component.texts.ts';
import '../../shared/schemas/sending/direct-send.texts.ts';
import '../../shared/schemas/account/environment.texts.ts';
import '../../shared/schemas/fields/error.texts.ts';
import '../../shared/schemas/users/inapp.texts.ts';
import '../../shared/schemas/logs/inbound-message.texts.ts';
import '../../shared/schemas/logs/log-record.texts.ts';
import '../../shared/schemas/account/member.texts.ts';
import '../../shared/schemas/content/notification-type-change.texts.ts';
import '../../shared/schemas/content/notification-type.texts.ts';
import '../../shared/schemas/account/organization.texts.ts';
import '../../shared/schemas/domains/provider-order.texts.ts';
import '../../shared/schemas/users/quiet-hours.texts.ts';
import '../../shared/schemas/sending/send-request.texts.ts';
import '../../shared/schemas/domains/sender-domain.texts.ts';
import '../../shared/schemas/delivery/steps.texts.ts';
import '../../shared/schemas/content/template.texts.ts';
import '../../shared/schemas/users/topic.texts.ts';
import '../../shared/schemas/content/translations.texts.ts';
import '../../shared/schemas/users/user.texts.ts';
import '../../shared/schemas/sending/waiting.texts.ts';
import '../../shared/schemas/logs/webhook.texts.ts';
import '../../shared/schemas/logs/webhook-body.texts.ts';
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
