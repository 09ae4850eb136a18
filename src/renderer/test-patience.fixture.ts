import { configure } from '@testing-library/react';

// What a test waits for comes with an event; a busy machine may deliver it after the usual second.
configure({ asyncUtilTimeout: 20_000 });
