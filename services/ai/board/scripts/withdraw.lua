-- Takes back what is not wanted any more, up to a version; a newer want stays. Who has it in hand is not disturbed.
--
-- ARGV: 2 how many n; then of each: key, version
-- Returns how many were there.
local found = 0
for number = 1, tonumber(ARGV[2]) do
  local key, version = ARGV[1 + 2 * number], tonumber(ARGV[2 + 2 * number])
  local want = find(key)
  if want and want.v <= version then
    finish(key, want, version)
    found = found + 1
  end
end
save()
return found
