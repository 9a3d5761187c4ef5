-- With the configuration in docs/editors/neovim loaded and an example open: waits for the server, asks
-- what a user would ask, and writes what was seen as JSON to the file that $OUT names.

local seen = { diagnostics = {} }

local function finish(problem)
  seen.problem = problem
  local file = assert(io.open(os.getenv("OUT"), "w"))
  file:write(vim.fn.json_encode(seen))
  file:close()
  vim.cmd(problem and "cquit 1" or "qall!")
end

local function diagnostics_of(buffer)
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    local lsp = one.user_data and one.user_data.lsp or {}
    table.insert(found, {
      line = one.lnum, column = one.col, end_column = one.end_col, message = one.message,
      source = one.source, code = one.code or lsp.code, severity = one.severity,
    })
  end
  return found
end

local ok, problem = pcall(function()
  local buffer = vim.api.nvim_get_current_buf()
  assert(vim.bo[buffer].filetype == "nx", "the file is not taken for NX")
  local client
  assert(vim.wait(20000, function()
    client = vim.lsp.get_active_clients()[1]
    return client and client.initialized
  end, 20), "the server did not answer the handshake")
  seen.server = client.server_capabilities
  local document = { uri = vim.uri_from_bufnr(buffer) }

  local function ask(method, params)
    local answer, failure = client.request_sync(method, params, 20000, buffer)
    assert(answer and not answer.err, method .. ": " .. (failure or vim.inspect(answer and answer.err)))
    return answer.result
  end

  -- The cursor on the function, as a user would put it there.
  assert(vim.fn.search("\\<searchFlights\\>", "w") > 0, "the example has no searchFlights")
  local hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, client.offset_encoding))
  seen.hover = hover.contents.value
  print(seen.hover)

  local symbols = ask("textDocument/documentSymbol", { textDocument = document })
  seen.symbols = vim.tbl_map(function(one) return one.name end, symbols)

  -- Sound as it is; then an edit in the buffer makes it wrong, and undo makes it right.
  vim.wait(300, function() return #vim.diagnostic.get(buffer) > 0 end, 20)
  seen.before = diagnostics_of(buffer)
  vim.cmd("%s/destination:Airport/destination:Airprot/")
  assert(vim.wait(20000, function() return #vim.diagnostic.get(buffer) > 0 end, 20), "no diagnostics")
  seen.diagnostics = diagnostics_of(buffer)
  print(vim.inspect(seen.diagnostics))
  vim.cmd("undo")
  assert(vim.wait(20000, function() return #vim.diagnostic.get(buffer) == 0 end, 20),
    "diagnostics stay after undo")

  seen.tool = ask("nxlsp/toolSchema", { target = { module = "travel/search.nx", name = "searchFlights" } })
  client.stop()
  assert(vim.wait(20000, function() return client.is_stopped() end, 20), "the server did not stop")
end)
finish(not ok and tostring(problem) or nil)
