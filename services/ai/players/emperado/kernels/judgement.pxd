from services.ai.players.emperado.kernels.outlook cimport Outlook
