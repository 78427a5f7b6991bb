from brettwerk_games.players.emperado.kernels.outlook cimport Outlook
