import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getApnConfigRoute, getFcmConfigRoute, saveApnConfigRoute, saveFcmConfigRoute } from './routes.ts';

describeFields(getFcmConfigRoute.response.body, {
  fcmConfig: 'The text of the service-account JSON.',
});

describeFields(saveFcmConfigRoute.body, {
  fcmConfig: 'The text of the service-account JSON.',
});

describeFields(getApnConfigRoute.response.body, {
  KeyId: 'The ID of the APNs key.',
  Key: 'The text of the .p8 file.',
  TeamId: 'The ID of the Apple developer team.',
  Topic: 'The bundle ID of the app.',
});

describeFields(saveApnConfigRoute.body, {
  KeyId: 'The ID of the APNs key.',
  Key: 'The text of the .p8 file.',
  TeamId: 'The ID of the Apple developer team.',
  Topic: 'The bundle ID of the app.',
});
